/// What can be chosen besides the configuration of the session.
///
/// ```swift
/// var options = URLSessionOptions()
/// options.totalLimit = 32
/// options.queueLimit = 1_000
/// let transport = URLSessionTransport(options: options)
/// ```
public struct URLSessionOptions: Hashable, Sendable {
    /// How many requests run at a time, whatever their hosts. The number for each host is the configuration's
    /// `httpMaximumConnectionsPerHost`. A refresh of a credential has a place beyond both.
    public var totalLimit = 256

    /// How many requests may wait for a place; one more fails at once with `.limit`. As many as come unless set.
    ///
    /// A refresh of a credential is never refused.
    public var queueLimit: Int?

    /// The connections that requests use whose method is not safe, such as POST.
    public var connectionsForUnsafeMethods = ConnectionUse.shared

    public init() {}

    /// Whether a request may use a connection that another has used before.
    public enum ConnectionUse: String, Hashable, Sendable {
        /// Connections are kept and used again. On Linux a request on a connection that the server closes at that moment
        /// is sent a second time, below this framework, whatever its method.
        case shared
        /// Each request has a new connection and asks for its end with `Connection: close`, at the price of a handshake.
        /// Nothing is sent twice then, by servers that do as they are asked.
        case fresh
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
    }
}
