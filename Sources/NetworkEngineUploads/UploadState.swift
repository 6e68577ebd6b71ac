public import Foundation
import NetworkEngine

/// An upload that was begun: its address at the server, and the bytes that arrived there.
///
/// The address may be all that is needed to write to the upload. Keep a state like a password.
public struct UploadState: Codable, Hashable, Sendable {
    /// The address of the upload.
    public let address: URL
    /// The length of the content.
    public let length: Int64
    /// The number of bytes that the server has confirmed.
    public internal(set) var offset: Int64
    let dialect: UploadDialect
    let fingerprint: ContentFingerprint
    /// A digest of the method and the address of the request, without its query.
    let request: String
    /// The most bytes that the server accepts in one request.
    var pieceLimit: Int64?
    /// The status of an error with which the server answered the last bytes.
    var refusedStatus: Int?

    /// Whether the numbers can be those of an upload. A file can have been changed by anything.
    var isSound: Bool { length >= 0 && (0...length).contains(offset) && (pieceLimit ?? 1) > 0 }
}

extension UploadState: CustomStringConvertible, CustomReflectable {
    /// The numbers, because the address may be secret.
    public var description: String { "an upload with \(offset) of \(length) bytes" }

    public var customMirror: Mirror {
        Mirror(self, children: ["offset": offset, "length": length], displayStyle: .struct)
    }
}

/// Where the state of an upload is kept.
///
/// ```swift
/// let place = folder.appendingPathComponent("video.upload")
/// try await client.upload(.post("/videos").file(video), resuming: .file(at: place))
/// ```
/// Each upload needs its own place. The state is removed when the upload is complete.
public struct UploadStateStore: Sendable {
    let load: @Sendable () throws -> UploadState?
    let save: @Sendable (UploadState?) throws -> Void

    /// Keeps the state with closures, such as those of a database.
    ///
    /// - Parameters:
    ///   - load: returns the state that was saved last, in any process.
    ///   - save: saves a state; `nil` removes it. It must return after the state is safe.
    public init(
        load: @escaping @Sendable () throws -> UploadState?,
        save: @escaping @Sendable (UploadState?) throws -> Void
    ) {
        (self.load, self.save) = (load, save)
    }

    /// Keeps the state in a file that only this user can read. Its folder must exist.
    ///
    /// A file with anything else than a state is an error, and stays as it is.
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
