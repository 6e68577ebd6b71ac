public import Foundation
import NetworkEngine

/// An upload in progress: its URL on the server, and the number of bytes that have arrived there.
///
/// The URL may be sufficient to write to the upload. Store a state like a password.
public struct UploadState: Codable, Hashable, Sendable {
    /// The upload's URL.
    public let address: URL
    /// The length of the content.
    public let length: Int64
    /// The number of bytes confirmed by the server.
    public internal(set) var offset: Int64
    let dialect: UploadDialect
    let fingerprint: ContentFingerprint
    /// A digest of the request's method and URL, without the query.
    let request: String
    /// The maximum number of bytes that the server accepts in one request.
    var pieceLimit: Int64?
    /// The status of the server's error response to the last bytes.
    var refusedStatus: Int?

    /// Whether the numbers are plausible. Anything may have changed a file.
    var isSound: Bool { length >= 0 && (0...length).contains(offset) && (pieceLimit ?? 1) > 0 }
}

extension UploadState: CustomStringConvertible, CustomReflectable {
    /// The numbers, because the address may be secret.
    public var description: String { "an upload with \(offset) of \(length) bytes" }

    public var customMirror: Mirror {
        Mirror(self, children: ["offset": offset, "length": length], displayStyle: .struct)
    }
}

/// Where an upload's state is kept.
///
/// ```swift
/// let place = folder.appendingPathComponent("video.upload")
/// try await client.upload(.post("/videos").file(video), resuming: .file(at: place))
/// ```
/// Use a separate store for each upload. The state is removed when the upload is complete.
public struct UploadStateStore: Sendable {
    let load: @Sendable () throws -> UploadState?
    let save: @Sendable (UploadState?) throws -> Void

    /// Keeps the state with closures, for example in a database.
    ///
    /// - Parameters:
    ///   - load: returns the most recently saved state, even if another process saved it.
    ///   - save: saves a state; `nil` removes it. It must return only once the state is safely stored.
    public init(
        load: @escaping @Sendable () throws -> UploadState?,
        save: @escaping @Sendable (UploadState?) throws -> Void
    ) {
        (self.load, self.save) = (load, save)
    }

    /// Keeps the state in a file that only this user can read. Its folder must exist.
    ///
    /// A file with any other content is an error, and is not changed.
    public static func file(at url: URL) -> UploadStateStore {
        UploadStateStore {
            guard FileManager.default.fileExists(atPath: url.path) else { return nil }
            return try JSONDecoder().decode(UploadState.self, from: Data(contentsOf: url))
        } save: { state in
            if let state {
                let data = try JSONEncoder().encode(state)
                try BodyFile.replace(url) { try $0.write(data) }
            } else if FileManager.default.fileExists(atPath: url.path) {
                try FileManager.default.removeItem(at: url)
            }
        }
    }
}

extension UploadStateStore {
    func state() throws(NetworkError) -> UploadState? {
        let state: UploadState?
        do {
            state = try load()
        } catch {
            let reason = "the state of the upload cannot be read"
            throw NetworkError(kind: .invalidRequest, reason: reason, underlying: error)
        }
        guard state?.isSound != false else {
            try keep(nil)
            let reason = "the numbers in the state of the upload contradict each other"
            throw NetworkError(kind: .invalidRequest, reason: reason, underlying: UploadFailure.contradictoryRecord)
        }
        return state
    }

    func keep(_ state: UploadState?) throws(NetworkError) {
        do {
            try save(state)
        } catch {
            let reason = "the state of the upload cannot be saved"
            throw NetworkError(kind: .invalidRequest, reason: reason, underlying: error)
        }
    }
}
