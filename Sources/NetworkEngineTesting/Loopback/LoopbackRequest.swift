public import Foundation
public import NetworkEngine

/// A request as a loopback server received it, byte for byte.
public struct LoopbackRequest: Sendable {
    public let method: HTTPMethod
    /// The target of the request line, untouched.
    public let target: String
    public let headers: HTTPHeaders
    /// The raw bytes from the request line to the empty line.
    public let head: Data
    /// Counts connections of the server from 0; two requests with the same number used the same connection.
    public let connection: Int
    /// Counts requests of the connection from 0.
    public let exchange: Int
    /// What was kept of the body: all of it up to the configured limit.
    public private(set) var body = Data()
    /// How many bytes of the body were read, kept or not.
    public private(set) var bodyCount = 0
    public private(set) var trailers = HTTPHeaders()
    /// The digest so far, where more has come than is kept.
    private var longDigest: SHA256?
    /// Whether the request was read to its end; false while that goes on, and when it was cut short.
    public private(set) var isComplete = false

    init(_ head: RequestHead, connection: Int, exchange: Int) {
        method = HTTPMethod(rawValue: head.method)
        target = head.target
        headers = head.headers
        self.head = Data(head.bytes)
        self.connection = connection
        self.exchange = exchange
    }

    /// The target up to the question mark.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The target behind the question mark.
    public var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }

    /// The SHA-256 of all of the body that was read, kept or not, in hexadecimal digits.
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
