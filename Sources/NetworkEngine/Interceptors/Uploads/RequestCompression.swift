import Foundation

/// Compresses request bodies, for servers that accept compressed requests.
///
/// ```swift
/// let provider = NetworkProvider<API>(interceptors: [RequestCompression(.gzip)])
/// ```
/// A body is not compressed if it is short, if the request has a `Content-Encoding`, if compression would not make it
/// shorter, if it belongs to a resumable upload, or if the system has no zlib. Files and streams are compressed while
/// they are sent, so their length is not known in advance. Place interceptors that sign a body after this one.
public struct RequestCompression: RequestInterceptor, NonInterceptingInterceptor {
    /// The coding of a compressed body, as in `Content-Encoding`.
    public enum Coding: String, Hashable, Sendable, CaseIterable {
        /// The gzip format of RFC 1952.
        case gzip
        /// The zlib format of RFC 1950.
        case deflate
    }

    /// Whether the system has zlib.
    public static var isAvailable: Bool { Deflater.isAvailable }

    /// The coding of compressed bodies.
    public var coding: Coding
    /// The minimum body length for compression.
    public var minimumLength = 1024

    /// Creates an interceptor for bodies of at least 1,024 bytes.
    public init(_ coding: Coding = .gzip) { self.coding = coding }

    public var mayWait: Bool { false }

    public func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        guard Self.isAvailable, !request.headers.contains("Content-Encoding") else { return request }
        guard let body = try compressed(request.body) else { return request }
        var request = request
        request.body = body
        request.headers["Content-Encoding"] = coding.rawValue
        return request
    }

    private func compressed(_ body: RequestBody) throws -> RequestBody? {
        switch body {
        case .absent: return nil
        case .data(let data):
            guard data.count >= minimumLength, let deflater else { return nil }
            var result = Data()
            var rest = data
            while !rest.isEmpty {
                // Compressing gigabytes takes a minute. A canceled call ends early.
                try Task.checkCancellation()
                result.append(try deflater.deflate(rest.prefix(Self.pieceLength)))
                rest = rest.dropFirst(Self.pieceLength)
            }
            result.append(try deflater.finish())
            return result.count < data.count ? .data(result) : nil
        case .file(let url):
            guard let length = BodyFile.length(of: url), length >= minimumLength else { return nil }
            return .stream(compressed(BodyStream(segments: [.init(.file(url), length: length)])))
        case .stream(let stream):
            // A compressor holds back bytes that the server may have to answer first.
            if stream.isSentWhileReceiving || stream.isSentInParts { return nil }
            // The trailers describe the bytes that the app has written.
            if stream.trailers != nil { return nil }
            if let length = stream.length, length < minimumLength { return nil }
            return .stream(compressed(stream))
        }
    }

    private func compressed(_ stream: BodyStream) -> BodyStream {
        BodyStream(length: nil, isReplayable: stream.isReplayable) { [self] in
            BodyStream.Reading(CompressingReader(stream, by: deflater).next)
        }
    }

    /// The number of bytes that are compressed between checks for cancellation.
    private static let pieceLength = 16 << 20

    private var deflater: Deflater? { Deflater(coding == .gzip ? .gzip : .zlib) }
}

/// Compresses a stream while it is read.
final class CompressingReader: Sendable {
    private struct State {
        var deflater: Deflater?
        var reading: Result<BodyStream.Reading, NetworkError>
    }

    private let state: Locked<State>

    /// - Parameter deflater: `nil` if the system has none; then every read fails.
    init(_ stream: BodyStream, by deflater: sending Deflater?) {
        let hasDeflater = deflater != nil
        let reading = Result { () throws(NetworkError) in
            guard hasDeflater else {
                throw NetworkError(.requestBody, reason: "zlib has no memory to compress the body")
            }
            try stream.beginSending()
            return stream.reading()
        }
        state = Locked(State(deflater: deflater, reading: reading))
    }

    func next() async throws -> Data? {
        let reading = try state.withLock { $0.reading }.get()
        while let piece = try await reading.next() {
            let output = try state.withLock { try $0.deflater?.deflate(piece) ?? Data() }
            if !output.isEmpty { return output }
        }
        return try state.withLock { state in
            defer { state.deflater = nil }
            return try state.deflater?.finish()
        }
    }
}
