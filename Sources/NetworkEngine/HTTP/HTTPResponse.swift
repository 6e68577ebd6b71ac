public import Foundation

/// An HTTP response, with the request that it answers.
///
/// A status is data. After the interceptors have seen the response, validation turns the status into an error.
public struct HTTPResponse: Sendable {
    /// The status, such as 200.
    public var statusCode: Int {
        get { storage.values.statusCode }
        set { storage.values.statusCode = newValue }
    }

    /// The header fields.
    public var headers: HTTPHeaders {
        get { storage.values.headers }
        set { storage.values.headers = newValue }
    }

    /// The body: bytes in memory, a file, or a stream.
    public var body: ResponseBody {
        get { storage.values.body }
        set { storage.values.body = newValue }
    }

    /// The fields that the server sent after the body; `nil` if it sent none.
    ///
    /// A `CurlTransport` receives them: after the last byte of a stream, and over HTTP/1.1 only with a chunked body.
    /// `URLSession` doesn't expose them, and a cache does not store them. Treat them like a body: a server may send a
    /// field here that proxies have not checked.
    public var trailers: HTTPHeaders? {
        get {
            guard var trailers = storage.values.trailers?.withLock({ $0 }) else { return nil }
            trailers.secrets = headers.secrets
            return trailers
        }
        set { storage.values.trailers = newValue.map { Locked($0) } }
    }

    /// Shares a stream's trailers, which are available at its end.
    package mutating func takeTrailers(from source: Locked<HTTPHeaders?>) { storage.values.trailers = source }

    /// The request as sent, after every interceptor and redirect.
    public var request: HTTPRequest {
        get { storage.values.request }
        set { storage.values.request = newValue }
    }

    /// The times and sizes of the exchange, if the transport measured them.
    public var metrics: ExchangeMetrics? {
        get { storage.values.metrics }
        set { storage.values.metrics = newValue }
    }

    /// The content codings that the transport decoded, such as `gzip`, in the order applied by the server.
    ///
    /// The `Content-Encoding` and the `Content-Length` of a decoded body are not in `headers`, because they describe
    /// other bytes. Empty for a body that needed no decoding, and for a stored response.
    public var decodedCodings: [String] {
        get { storage.values.decodedCodings }
        set { storage.values.decodedCodings = newValue }
    }

    /// Whether the response came from the server or from a `ResponseCache`.
    public var source: Source {
        get { storage.values.source }
        set { storage.values.source = newValue }
    }

    /// The connection, if the server has switched it to another protocol (status 101).
    package var upgrade: (any UpgradedConnection)? {
        get { storage.values.upgrade }
        set { storage.values.upgrade = newValue }
    }

    /// Whether the cache generated the response, because the request accepts only a stored response and none can be
    /// used.
    package var isUnanswered: Bool {
        get { storage.values.isUnanswered }
        set { storage.values.isUnanswered = newValue }
    }

    /// Where a response came from.
    public enum Source: Hashable, Sendable {
        /// The server sent the response.
        case network
        /// The response was stored, and the server was not contacted.
        case cache
        /// The response was stored, and the server confirmed or completed it.
        case revalidated
    }

    /// One pointer, because a response passes through many stack frames.
    private var storage: Boxed<Values>

    private struct Values: Sendable {
        var statusCode: Int
        var headers: HTTPHeaders
        var body: ResponseBody
        var request: HTTPRequest
        var metrics: ExchangeMetrics?
        var trailers: Locked<HTTPHeaders?>?
        var decodedCodings: [String] = []
        var source = Source.network
        var upgrade: (any UpgradedConnection)?
        var isUnanswered = false
    }

    /// Creates a response, for example in a transport or an interceptor; by default with an empty body.
    public init(
        statusCode: Int,
        headers: HTTPHeaders = [:],
        body: ResponseBody = .data(Data()),
        request: HTTPRequest
    ) {
        self.init(statusCode: statusCode, headers: headers, body: body, request: request, metrics: nil)
    }

    /// Creates the response of a measured exchange.
    init(
        statusCode: Int,
        headers: HTTPHeaders,
        body: ResponseBody,
        request: HTTPRequest,
        metrics: ExchangeMetrics?
    ) {
        storage = Boxed(
            Values(statusCode: statusCode, headers: headers, body: body, request: request, metrics: metrics))
    }

    /// Creates a response with headers from a dictionary.
    @_disfavoredOverload
    public init(
        statusCode: Int,
        headers: some TargetHeaders,
        body: ResponseBody = .data(Data()),
        request: HTTPRequest
    ) {
        self.init(statusCode: statusCode, headers: HTTPHeaders(declared: headers), body: body, request: request)
    }

    /// The bytes of a body in memory; empty for a file or a stream.
    public var data: Data { body.data ?? Data() }

    /// Whether the status is a redirect to the `Location`.
    package static func isRedirect(_ status: Int) -> Bool {
        switch status {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }
}

extension HTTPResponse {
    /// The response with its request's secrets, so that its headers redact the same values.
    var marked: HTTPResponse {
        guard let secrets = request.secrets, headers.secrets !== secrets else { return self }
        var response = self
        response.headers.secrets = secrets
        return response
    }

    /// The same response without a body that is still arriving, and without an upgraded connection.
    package var withoutStream: HTTPResponse {
        var copy = self
        if upgrade != nil { copy.upgrade = nil }
        if case .stream = body { copy.body = .data(Data()) }
        return copy
    }
}

extension HTTPResponse: CustomStringConvertible, CustomReflectable {
    /// The status and the request, without body and secrets.
    public var description: String { "\(statusCode) from \(request)" }

    public var customMirror: Mirror {
        let headers = marked.headers.description
        return Mirror(self, children: ["response": description, "headers": headers], displayStyle: .struct)
    }
}

/// A connection that a server has switched from HTTP to another protocol. Releasing it closes it.
package protocol UpgradedConnection: AnyObject, Sendable {}

/// The body of a response.
public enum ResponseBody: Sendable {
    /// Bytes in memory; empty if the response has no body.
    case data(Data)
    /// A file that holds the bytes.
    case file(URL)
    /// A stream that is still being received.
    case stream(BodyStream)

    /// The bytes of a body in memory.
    public var data: Data? {
        if case .data(let data) = self { data } else { nil }
    }
}
