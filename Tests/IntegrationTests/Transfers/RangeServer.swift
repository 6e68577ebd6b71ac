import Foundation
import TestSupport

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// A server that sends a file as a whole or in ranges (RFC 9110), and closes connections where a test requests it.
struct RangeServer {
    struct Content: Sendable {
        var data: Data
        var tag: String? = "\"v1\""
        /// The modification time. Responses that include it are dated one day later.
        var modified: String?
        /// Where each response is cut off, counted from its own start; the last ones are complete.
        var breaks: [Int] = []
        var givesRanges = true
        /// The response instead of the file, such as a redirect to it. It doesn't count as a response.
        var redirect: (@Sendable (LoopbackRequest) -> LoopbackResponse?)?
        /// Changes a response before it's sent. The number counts responses from 0.
        var change: (@Sendable (LoopbackResponse, Int) -> LoopbackResponse)?
    }

    let server: LoopbackServer
    let content: Locked<Content>

    init(_ content: Content) throws {
        let content = Locked(content)
        let count = Locked(0)
        self.content = content
        server = try LoopbackServer { request in
            if let answer = content.withLock({ $0.redirect })?(request) { return answer }
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            let (content, stop) = content.withLock { content in
                (content, content.breaks.isEmpty ? nil : content.breaks.removeFirst())
            }
            var response = content.answer(to: request)
            if let stop { response = response.fault(.reset, at: .responseBody(afterBytes: stop)) }
            return content.change?(response, number) ?? response
        }
    }

    /// The requested ranges of the file; `nil` for the entire file.
    var ranges: [String?] { server.requests.map { $0.headers["Range"] } }

    /// Distinctive bytes, the same each time.
    static func bytes(_ count: Int) -> Data {
        var random = SeededGenerator(seed: 0x9E37_79B9)
        return .noise(count, using: &random)
    }
}

extension RangeServer.Content {
    fileprivate func answer(to request: LoopbackRequest) -> LoopbackResponse {
        var headers: HTTPHeaders = ["Accept-Ranges": "bytes"]
        headers["ETag"] = tag
        if let modified, let time = HTTPDate.seconds(modified) {
            headers["Last-Modified"] = modified
            headers["Date"] = HTTPDate.text(time + 86_400)
        }
        let isSame = request.headers["If-Range"].map { $0 == tag || $0 == modified } ?? true
        let start = request.headers["Range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
        guard givesRanges, isSame, let start else {
            return LoopbackResponse(status: 200, headers: headers, body: .data(data))
        }
        guard start < data.count else {
            headers["Content-Range"] = "bytes */\(data.count)"
            return LoopbackResponse(status: 416, headers: headers)
        }
        headers["Content-Range"] = "bytes \(start)-\(data.count - 1)/\(data.count)"
        return LoopbackResponse(status: 206, headers: headers, body: .data(Data(data[start...])))
    }
}
