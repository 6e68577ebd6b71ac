/// Options of a transport besides the configuration of its session.
///
/// ```swift
/// var options = URLSessionOptions()
/// options.totalLimit = 32
/// options.queueLimit = 1_000
/// let transport = URLSessionTransport(options: options)
/// ```
public struct URLSessionOptions: Hashable, Sendable {
    /// The maximum number of concurrent requests to all hosts. The number for each host is the configuration's
    /// `httpMaximumConnectionsPerHost`. A refresh of a credential has a permit beyond both.
    public var totalLimit = 256

    /// The maximum number of requests that wait for a permit; unlimited by default. One more fails at once with
    /// `.limit`.
    ///
    /// A refresh of a credential is never refused.
    public var queueLimit: Int?

    /// The connections for requests that may not be sent twice: their method is not idempotent and they have no
    /// `Idempotency-Key`, such as most POST requests, or their body can be read only once.
    ///
    /// By default they are `.fresh` on Linux and `.shared` on Apple platforms.
    public var connectionsForUnsafeMethods = ConnectionUse.standard

    /// Whether servers are assumed to speak HTTP/3, so that the first request to one tries it.
    ///
    /// Otherwise a session of the system tries it after a server has offered it. On Linux every send then throws
    /// `.unsupported` before I/O.
    public var assumesHTTP3Capable = false

    /// Creates options with their default values.
    public init() {}

    /// Whether a request may use a connection that another request has used before.
    public enum ConnectionUse: String, Hashable, Sendable {
        /// Connections are kept and reused. On Linux, if a kept connection is lost before the response, the request is
        /// sent again, below this framework, whatever its method: without a body up to five more times, on one kept
        /// connection after the other. With a body its head is sent once more.
        case shared
        /// Each request uses a new connection and closes it with `Connection: close`, at the cost of a handshake. Such
        /// a request is not sent twice, if the server honors the field.
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
