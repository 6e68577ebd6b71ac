import Foundation
import NetworkEngine

/// What an exchange sends behind its head.
enum CurlUpload: RequestUpload {
    /// All of it is there, and can be read from any place.
    case stored(UploadBody)
    /// It comes while it is sent.
    case live(StreamingUpload)

    /// What came of asking for bytes.
    enum Reading {
        case bytes(Int)
        case later
        case failed(AbortReason)
    }

    /// Makes a request's body ready to be sent; `nil` when there are no bytes to send.
    ///
    /// What can be known to be wrong with it is found here, before any I/O.
    static func preparing(_ request: HTTPRequest, context: TransportContext) async throws -> CurlUpload? {
        guard case .stream(let stream) = request.body, stream.length != 0, !stream.isStored else {
            return try await UploadBody.preparing(request, context: context).map { .stored($0) }
        }
        do {
            try stream.beginSending()
            try UploadBody.checkFiles(of: stream)
            return .live(StreamingUpload(stream))
        } catch {
            throw error.completed(request: request)
        }
    }

    /// `nil` when only its end will tell.
    var announcedLength: Int64? {
        switch self {
        case .stored(let body): body.length
        case .live(let body): body.length
        }
    }

    /// Bytes that were taken to be sent.
    var sent: Int64 {
        switch self {
        case .stored(let body): body.sent
        case .live(let body): body.sent
        }
    }

    /// Why it could not be read.
    var failure: (any Error)? {
        switch self {
        case .stored(let body): body.failure
        case .live(let body): body.failure
        }
    }

    /// Copies bytes to send.
    ///
    /// - Parameter offset: how many were copied before.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Reading {
        switch self {
        case .stored(let body):
            do {
                let count = try body.read(into: buffer, at: offset)
                body.note(sent: offset + Int64(count))
                return .bytes(count)
            } catch {
                body.note(failure: error)
                return .failed(.cannotRead)
            }
        case .live(let body):
            do {
                return try body.read(into: buffer).map { .bytes($0) } ?? .later
            } catch {
                return .failed(error is CancellationError ? .cancelled : .cannotRead)
            }
        }
    }

    /// Whether the next bytes can be those from a place on.
    func seek(to offset: Int64) -> Bool {
        switch self {
        case .stored(let body): (0...body.length).contains(offset)
        case .live(let body): offset == 0 && body.rewind()
        }
    }

    var isLive: Bool { if case .live = self { true } else { false } }

    /// Starts to read a body that arrives while it is sent.
    func start(onBytes: @escaping @Sendable () -> Void) {
        if case .live(let body) = self { body.start(onBytes: onBytes) }
    }

    func stop() {
        if case .live(let body) = self { body.stop() }
    }
}

extension BodyStream {
    /// Whether it is put together from nothing but memory and files.
    fileprivate var isStored: Bool {
        guard let segments else { return false }
        return !segments.contains { if case .stream = $0.content { true } else { false } }
    }
}
