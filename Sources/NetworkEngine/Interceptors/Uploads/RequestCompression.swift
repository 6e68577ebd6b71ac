import Foundation

/// Compresses the bodies of requests, for servers that are known to take that.
///
/// ```swift
/// let provider = NetworkProvider<API>(interceptors: [RequestCompression(.gzip)])
/// ```
/// A body that is short, that has a `Content-Encoding` already or that would not become shorter is sent as it is, and so is
/// every body where the system has no zlib. Files and streams are compressed while they are sent; how long they will be is
/// not known before. Interceptors that sign a body belong behind this one.
public struct RequestCompression: RequestInterceptor {
    public enum Coding: String, Hashable, Sendable, CaseIterable {
        case gzip, deflate
    }

    /// Whether bodies can be compressed here.
    public static var isAvailable: Bool { Deflater.isAvailable }

    public var coding: Coding
    /// Shorter bodies are left alone.
    public var minimumLength = 1024

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
        case .none: return nil
        case .data(let data):
            guard data.count >= minimumLength, let deflater else { return nil }
            var result = Data()
            var rest = data
            while !rest.isEmpty {
                // Gigabytes take a minute. A canceled call does not wait for the end.
                try Task.checkCancellation()
                result.append(try deflater.deflate(rest.prefix(Self.pieceLength)))
                rest = rest.dropFirst(Self.pieceLength)
            }
            result.append(try deflater.finish())
            return result.count < data.count ? .data(result) : nil
        case .file(let url):
            let length = (try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
            guard length >= minimumLength else { return nil }
            return .stream(compressed(BodyStream(segments: [.init(.file(url), length: Int64(length))])))
        case .stream(let stream):
            if let length = stream.length, length < minimumLength { return nil }
            return .stream(compressed(stream))
        }
    }

    private func compressed(_ stream: BodyStream) -> BodyStream {
        BodyStream(length: nil, isReplayable: stream.isReplayable) { [self] in
            BodyStream.Reading(CompressingReader(stream, by: deflater).next)
        }
    }

    /// Bytes in memory that are compressed at a time.
    private static let pieceLength = 16 << 20

    private var deflater: Deflater? { Deflater(coding == .gzip ? .gzip : .zlib) }
}

/// One reading of a stream, compressed.
private final class CompressingReader: Sendable {
    private struct State {
        var deflater: Deflater?
        var reading: Result<BodyStream.Reading, NetworkError>
    }

    private let state: Locked<State>

    init(_ stream: BodyStream, by deflater: sending Deflater?) {
        let reading = Result { () throws(NetworkError) in
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
