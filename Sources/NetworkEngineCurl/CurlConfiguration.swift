public import NetworkEngine

/// How a transport over libcurl connects, waits and shares.
///
/// ```swift
/// var configuration = CurlConfiguration()
/// configuration.requestsPerHost = 16
/// configuration.connectTimeout = .seconds(5)
/// let transport = CurlTransport(configuration: configuration)
/// ```
public struct CurlConfiguration: Sendable {
    /// Requests that run at a time to one scheme, host and port; the others wait in order of priority and arrival.
    ///
    /// Without HTTP/2 each needs a connection of its own.
    public var requestsPerHost = 64
    /// Requests that run at a time in all.
    public var requestsInAll = 256
    /// Connections that are kept for later requests.
    public var idleConnections = 256
    /// How long an unused connection is kept, in whole seconds.
    public var idleLifetime: Duration = .seconds(60)
    /// The time for finding the address, connecting and the TLS handshake together.
    public var connectTimeout: Duration = .seconds(30)
    /// How long the address of a host is remembered, in whole seconds.
    public var nameLifetime: Duration = .seconds(60)
    /// Whether HTTP/2 is offered in the TLS handshake.
    public var usesHTTP2 = true
    /// Whether gzip and deflate are asked for and undone; the fields that described the coded body are removed.
    ///
    /// The body of a request that sets `Accept-Encoding` itself comes as the server sent it.
    public var decodesBodies = true
    /// What stands in `User-Agent` where a request has none; `nil` for no such field.
    public var userAgent: String? = "NetworkEngine"
    /// Bytes that are read from a connection at a time.
    public var receiveBufferSize = 1 << 16
    /// Whether the system checks idle connections for a peer that has vanished.
    public var sendsKeepAliveProbes = false
    /// The path of a Unix-domain socket that takes the place of every connection to a host.
    public var unixSocket: String?

    /// Whom it trusts, and as whom it shows itself.
    ///
    /// With a pin for a whole certificate, each request to its host makes a connection of its own, which is looked at
    /// before anything is sent; pins for public keys cost nothing.
    public var tls = TLSPolicy.standard
    /// Through whom it reaches servers; nobody unless said so here.
    public var proxy = ProxyPolicy.none

    public init() {}
}

extension CurlConfiguration {
    /// Throws `.invalidRequest` for a text that would not reach libcurl, or the wire, as one value.
    func checkTexts() throws(NetworkError) {
        let headers: HTTPHeaders = userAgent.map { ["User-Agent": $0] } ?? [:]
        if let fault = headers.fault {
            throw NetworkError(kind: .invalidRequest, reason: "CurlConfiguration.userAgent: \(fault)")
        }
        if unixSocket?.utf8.contains(0) == true {
            throw NetworkError(kind: .invalidRequest, reason: "CurlConfiguration.unixSocket has NUL in it")
        }
    }
}
