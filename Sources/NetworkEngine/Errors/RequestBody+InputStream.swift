import Dispatch
package import Foundation

extension RequestBody {
    /// The maximum length of a stream that is read before it is sent, so that it can be sent again.
    private static let longestReplay = 1 << 20

    /// The bytes of an input stream, which are read while they are sent, once.
    static func sending(_ stream: InputStream, length: Int64?) throws(NetworkError) -> RequestBody {
        let reader = try InputStreamReader(stream)
        return .stream(
            BodyStream(length: length, isReplayable: false, reading: { BodyStream.Reading { try await reader.next() } })
        )
    }

    /// Reads the first megabyte of an input stream.
    ///
    /// A stream that ends there becomes data, which can be sent again after a refresh. On Apple platforms a session
    /// passes every body as a stream.
    package static func reading(_ stream: InputStream, length: Int64?) async throws(NetworkError) -> RequestBody {
        let reader = try InputStreamReader(stream)
        var start = Data()
        do {
            while start.count < longestReplay {
                guard let piece = try await reader.next() else {
                    if let length, start.count != length {
                        throw NetworkError.wrongLength(of: "the body", Int64(start.count), announced: length)
                    }
                    return .data(start)
                }
                start += piece
            }
        } catch {
            throw .wrapping(
                error,
                as: NetworkError(.requestBody, reason: "the httpBodyStream cannot be read", underlying: error))
        }
        let rest = Locked<Data?>(start)
        return .stream(
            BodyStream(
                length: length, isReplayable: false,
                reading: {
                    BodyStream.Reading {
                        if let start = rest.withLock({ $0.take() }) { return start }
                        return try await reader.next()
                    }
                }))
    }
}

/// Reads an input stream piece by piece, on its own queue, because reading blocks until bytes arrive.
private final class InputStreamReader: Sendable {
    private static let pieceLength = 64 << 10
    private let stream: Locked<InputStream>
    private let queue = DispatchQueue(label: "NetworkEngine.InputStreamReader")

    init(_ stream: InputStream) throws(NetworkError) {
        switch stream.streamStatus {
        case .atEnd, .closed: throw NetworkError(.requestBody, reason: "the httpBodyStream has already been read")
        default: self.stream = Locked(stream)
        }
    }

    // After a read that may still block.
    deinit { queue.async { [stream] in stream.withLock { $0.close() } } }

    /// The next piece; `nil` at the end. Throws as soon as the task is canceled.
    func next() async throws -> Data? {
        let piece = OneShot<Result<Data?, any Error>>()
        queue.async { [stream] in
            piece.settle(Result { try stream.withLock { try Self.read(&$0) } })
        }
        return try await piece.wait().get()
    }

    private static func read(_ stream: inout InputStream) throws -> Data? {
        if stream.streamStatus == .notOpen { stream.open() }
        var bytes = [UInt8](repeating: 0, count: pieceLength)
        let count = bytes.withUnsafeMutableBufferPointer { bytes in
            bytes.baseAddress.map { stream.read($0, maxLength: bytes.count) } ?? 0
        }
        guard count >= 0 else { throw stream.streamError ?? CocoaError(.fileReadUnknown) }
        return count == 0 ? nil : Data(bytes.prefix(count))
    }
}
