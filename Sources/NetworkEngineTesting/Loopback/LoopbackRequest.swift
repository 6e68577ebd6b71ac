public import Foundation
public import NetworkEngine

/// A request as a loopback server received it.
public struct LoopbackRequest: Sendable {
    /// The method in the request line.
    public let method: HTTPMethod
    /// The unmodified target in the request line.
    public let target: String
    /// The header fields, in order of arrival.
    public let headers: HTTPHeaders
    /// The raw bytes from the request line to the empty line.
    public let head: Data
    /// The number of the connection, starting at 0. Requests with the same number used the same connection.
    public let connection: Int
    /// The number of the request on its connection, starting at 0.
    public let exchange: Int
    /// The recorded body, up to the configured limit.
    public private(set) var body = Data()
    /// The number of body bytes that were read, recorded or not.
    public private(set) var bodyCount = 0
    /// The trailer fields after a chunked body.
    public private(set) var trailers = HTTPHeaders()
    /// The digest so far, when the body exceeds the recording limit.
    private var longDigest: SHA256?
    /// Whether the whole request was read.
    public private(set) var isComplete = false

    init(_ head: RequestHead, connection: Int, exchange: Int) {
        method = HTTPMethod(rawValue: head.method)
        target = head.target
        headers = head.headers
        self.head = Data(head.bytes)
        self.connection = connection
        self.exchange = exchange
    }

    /// A request that was not sent over a connection. Its body is not included.
    init(_ request: HTTPRequest) {
        let url = request.url
        var headers = request.headers
        if !headers.contains("Host") {
            let host = url.host() ?? ""
            let isBare = host.contains(":") && !host.hasPrefix("[")
            headers["Host"] = (isBare ? "[\(host)]" : host) + (url.port.map { ":\($0)" } ?? "")
        }
        let path = url.path(percentEncoded: true)
        target = (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
        (method, self.headers, connection, exchange) = (request.method, headers, 0, 0)
        let fields = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        head = Data("\(method.rawValue) \(target) HTTP/1.1\r\n\(fields)\r\n".utf8)
    }

    /// The target before the question mark.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The target after the question mark.
    public var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }

    /// The SHA-256 of the whole body that was read, recorded or not, in hexadecimal.
    public var bodyDigest: String {
        var digest = longDigest ?? SHA256()
        if longDigest == nil { body.withUnsafeBytes { digest.update($0) } }
        return digest.hexadecimal
    }

    mutating func receive(_ bytes: [UInt8], limit: Int) {
        let kept = bytes.prefix(max(0, limit - body.count))
        if kept.count < bytes.count {
            var digest = longDigest ?? SHA256()
            if longDigest == nil { body.withUnsafeBytes { digest.update($0) } }
            bytes.withUnsafeBytes { digest.update($0) }
            longDigest = digest
        }
        body.append(contentsOf: kept)
        bodyCount += bytes.count
    }

    mutating func end(_ trailers: HTTPHeaders) {
        self.trailers = trailers
        isComplete = true
    }

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }
}
