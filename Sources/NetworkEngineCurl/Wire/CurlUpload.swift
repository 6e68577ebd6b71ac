import Foundation
import NetworkEngine

/// A request body.
final class CurlUpload: RequestUpload {
    private enum Source {
        /// The whole body is available and can be read from any offset.
        case stored(UploadBody)
        /// The body is read from a stream while it is sent.
        case live(StreamingUpload)
    }

    private let source: Source

    private init(_ source: Source) { self.source = source }

    /// The result of reading bytes.
    enum Reading {
        case bytes(Int)
        case later
        case failed(AbortReason)
    }

    /// Prepares a request body for sending; `nil` for an empty body.
    ///
    /// Errors that can be detected in advance are found here, before any I/O.
    static func preparing(_ request: HTTPRequest, context: TransportContext) async throws -> CurlUpload? {
        guard case .stream(let stream) = request.body, stream.length != 0, !stream.isStored else {
            return try await UploadBody.preparing(request, context: context).map { CurlUpload(.stored($0)) }
        }
        do {
            let current = try UploadBody.lookingAtFiles(of: stream)
            try current.trailers?.validate()
            try stream.beginSending()
            return CurlUpload(.live(StreamingUpload(current)))
        } catch {
            throw error.completed(request: request)
        }
    }

    /// The length; `nil` if it is known only at the end of the body.
    var announcedLength: Int64? {
        switch source {
        case .stored(let body): body.length
        case .live(let body): body.length
        }
    }

    /// The number of bytes read for sending.
    var sent: Int64 {
        switch source {
        case .stored(let body): body.sent
        case .live(let body): body.sent
        }
    }

    /// The error that occurred while reading the body.
    var failure: (any Error)? {
        switch source {
        case .stored(let body): body.failure
        case .live(let body): body.failure
        }
    }

    /// Copies bytes to send.
    ///
    /// - Parameter offset: the number of bytes copied so far.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Reading {
        switch source {
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

    /// Continues at another offset, and returns whether this is possible.
    func seek(to offset: Int64) -> Bool {
        switch source {
        case .stored(let body): (0...body.length).contains(offset)
        case .live(let body): offset == 0 && body.rewind()
        }
    }

    var isLive: Bool { if case .live = source { true } else { false } }

    /// The names of the trailer fields. A body with trailers is sent over HTTP/1.1.
    var trailerNames: [String] { if case .live(let body) = source { body.trailerNames } else { [] } }

    /// The NUL-terminated lines of the trailer fields, once the whole body was read.
    var trailers: [UInt8] { if case .live(let body) = source { body.trailers } else { [] } }

    /// Whether the body may wait for the response, so that a complete response ends the exchange.
    var isConversation: Bool { if case .live(let body) = source { body.isConversation } else { false } }

    /// Starts reading a streamed body.
    func start(onBytes: @escaping @Sendable () -> Void) {
        if case .live(let body) = source { body.start(onBytes: onBytes) }
    }

    func stop() {
        if case .live(let body) = source { body.stop() }
    }
}

extension BodyStream {
    /// Whether all parts are in memory or in files.
    fileprivate var isStored: Bool {
        guard let segments else { return false }
        return !segments.contains { if case .stream = $0.content { true } else { false } }
    }
}
