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
    public internal(set) var body = Data()
    /// How many bytes of the body were read, kept or not.
    public internal(set) var bodyCount = 0
    public internal(set) var trailers = HTTPHeaders()
    /// Whether the request was read to its end; false while that goes on, and when it was cut short.
    public internal(set) var isComplete = false

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

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }
}
