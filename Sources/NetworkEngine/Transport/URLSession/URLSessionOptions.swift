/// Options of a transport in addition to its session's configuration.
///
/// ```swift
/// var options = URLSessionOptions()
/// options.totalLimit = 32
/// options.queueLimit = 1_000
/// let transport = URLSessionTransport(options: options)
/// ```
public struct URLSessionOptions: Hashable, Sendable {
    /// The maximum number of concurrent requests to all hosts. The limit for each host is the configuration's
    /// `httpMaximumConnectionsPerHost`. A credential refresh has an extra permit beyond both.
    public var totalLimit = 256

    /// The maximum number of requests that wait for a permit; by default unlimited. A request beyond that fails
    /// immediately with `.limit`.
    ///
    /// A credential refresh is never rejected.
    public var queueLimit: Int?

    /// The connections for requests that may not be sent twice: non-idempotent requests without an `Idempotency-Key`,
    /// such as most POST requests, and requests with a body that can be read only once.
    ///
    /// The default is `.fresh` on Linux and `.shared` on Apple platforms.
    public var connectionsForUnsafeMethods = ConnectionUse.standard

    /// Whether servers are assumed to support HTTP/3, so that even the first request to a server tries it.
    ///
    /// Otherwise the system's session tries it after a server has offered it. If this is `true` on Linux, every send
    /// throws `.unsupported` before any I/O.
    public var assumesHTTP3Capable = false

    /// Creates options with their default values.
    public init() {}

    /// Whether a request may reuse a connection.
    public enum ConnectionUse: String, Hashable, Sendable {
        /// Connections are kept alive and reused. On Linux, if a kept-alive connection is lost before the response, the
        /// system resends the request, below this framework and whatever its method: without a body up to five more
        /// times, on one kept-alive connection after another. With a body its head is sent once more.
        case shared
        /// Each request uses a new connection and closes it with `Connection: close`, at the cost of a handshake. Such
        /// a request is not sent twice if the server honors the field.
        case fresh

        #if canImport(FoundationNetworking)
        fileprivate static let standard = fresh
        #else
        fileprivate static let standard = shared
        #endif
    }
}

extension URLSessionOptions {
    func validate() throws(NetworkError) {
        let fault: String? =
            if totalLimit < 1 {
                "totalLimit \(totalLimit) is not above zero"
            } else if let queueLimit, queueLimit < 0 {
                "queueLimit \(queueLimit) is below zero"
            } else {
                nil
            }
        if let fault { throw NetworkError(kind: .invalidRequest, reason: "URLSessionOptions: \(fault)") }
        if assumesHTTP3Capable, !Self.speaksHTTP3 {
            throw .unsupported("URLSession on Linux does not speak HTTP/3; use CurlTransport with a libcurl that does")
        }
    }
}
