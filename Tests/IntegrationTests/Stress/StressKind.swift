import Foundation
import TestSupport

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// One kind of exchange in the stress test: the server's behavior, and the permitted results.
enum StressKind: String, CaseIterable, Sendable {
    case plain, chunked, download, upload, uploadFile, uploadStream, redirect, redirectUpload, basic, interim
    case stale, emptyReply, resetInBody, truncated, badChunk

    /// The answer to a request, from the kind in its path and the number in its query.
    static func answer(_ request: LoopbackRequest) -> LoopbackResponse {
        let size = request.query.flatMap(Int.init) ?? 0
        let body = LoopbackResponse.data(content(size))
        switch StressKind(rawValue: String(request.path.dropFirst())) {
        case .plain, .download: return body
        case .chunked: return body.chunked(size: 1000)
        case .upload, .uploadFile, .uploadStream: return .text(digest(request.body))
        case .redirect: return .text("moved", status: 302).header("Location", "/plain?3")
        case .redirectUpload: return .text("moved", status: 307).header("Location", "/upload?3")
        case .basic: return .text("denied", status: 401).header("WWW-Authenticate", "Basic realm=\"x\"")
        case .interim: return body.interim(103, times: 2)
        case .stale: return body.ending(.closeOnNextRequest)
        case .emptyReply: return .fault(.close)
        case .resetInBody: return body.fault(.reset, at: .responseBody(afterBytes: size / 2))
        case .truncated: return body.declaringLength(String(size + 7)).ending(.close)
        case .badChunk: return .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n")
        case nil: return .status(404)
        }
    }

    var sendsBody: Bool {
        switch self {
        case .upload, .uploadFile, .uploadStream, .redirectUpload: true
        default: false
        }
    }

    /// Whether a response is correct.
    func accepts(_ response: HTTPResponse, size: Int) -> Bool {
        switch self {
        case .plain, .chunked, .download, .interim, .stale:
            response.statusCode == 200 && response.bytes == Self.content(size)
        case .upload, .uploadFile, .uploadStream:
            response.statusCode == 200 && response.bytes == Data(Self.digest(Self.content(size)).utf8)
        case .redirect: response.statusCode == 302 && response.bytes == Data("moved".utf8)
        case .redirectUpload: response.statusCode == 307 && response.bytes == Data("moved".utf8)
        case .basic: response.statusCode == 401 && response.bytes == Data("denied".utf8)
        case .emptyReply, .resetInBody, .truncated, .badChunk: false
        }
    }

    /// Whether this kind may fail this way. Any kind may encounter a connection that the server has just closed.
    func accepts(_ failure: TransportFailure?, isTimed: Bool) -> Bool {
        switch (self, failure) {
        case (_, .lostBeforeResponse): true
        case (_, .timeout): isTimed
        case (.resetInBody, .lostMidBody), (.truncated, .lostMidBody): true
        case (.badChunk, .protocolViolation), (.badChunk, .lostMidBody): true
        default: false
        }
    }

    /// The first bytes of noise that is generated once.
    static func content(_ size: Int) -> Data { noise.prefix(size) }

    private static let noise: Data = {
        var random = SeededGenerator(seed: 1)
        return .noise(40_000, using: &random)
    }()

    /// Distinguishes a body from any other that could arrive instead. Stable within one process.
    static func digest(_ data: Data) -> String {
        var hasher = Hasher()
        data.withUnsafeBytes { hasher.combine(bytes: $0) }
        return "\(hasher.finalize())-\(data.count)"
    }
}

extension HTTPResponse {
    /// The body, wherever it is stored.
    fileprivate var bytes: Data? {
        switch body {
        case .data(let data): data
        case .file(let url): try? Data(contentsOf: url)
        case .stream: nil
        }
    }
}
