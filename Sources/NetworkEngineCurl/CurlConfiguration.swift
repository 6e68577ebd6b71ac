import CLibcurl
import Foundation
public import NetworkEngine

/// Configures the connections, limits and security of a libcurl transport.
///
/// ```swift
/// var configuration = CurlConfiguration()
/// configuration.requestsPerHost = 16
/// configuration.connectTimeout = .seconds(5)
/// let transport = CurlTransport(configuration: configuration)
/// ```
public struct CurlConfiguration: Sendable {
    /// The maximum number of concurrent requests to one scheme, host and port. Other requests wait in order of priority
    /// and arrival.
    ///
    /// Without HTTP/2 each request needs a separate connection.
    public var requestsPerHost = 64
    /// The maximum number of concurrent requests in total.
    public var requestsInTotal = 256
    /// The number of threads that send requests, each with separate connections; at most 64.
    ///
    /// Up to 8 concurrent requests use one thread. From 9 on, the other threads take part. Requests to an HTTP/2 server
    /// remain on one thread, and therefore on one connection, up to 100 at a time. All limits apply to all threads
    /// together.
    ///
    /// Defaults to one for each core, and at most four.
    public var threads = CurlConfiguration.usualThreads
    /// The number of requests at which a thread starts sharing its work. Tests share more.
    var requestsUntilShared = LoopBalance.usualShare
    /// The maximum number of idle connections to keep for later requests; at most an eighth of the process's descriptor
    /// limit.
    ///
    /// Idle connections are closed when a new connection finds no free descriptor. Each thread keeps its share of them,
    /// at least one.
    ///
    /// Connections in use do not count. While many requests run, their connections are kept for the next ones.
    /// Connections above the limit are closed within a few seconds after most of the requests have ended.
    public var idleConnections = 256
    /// How long an unused connection is kept, in whole seconds.
    public var idleLifetime: Duration = .seconds(60)
    /// Limits name resolution, connecting and the TLS handshake together.
    public var connectTimeout: Duration = .seconds(30)
    /// How long a host's address is cached, in whole seconds.
    public var nameLifetime: Duration = .seconds(60)
    /// Whether HTTP/2 is offered in the TLS handshake.
    public var usesHTTP2 = true
    /// Whether servers are assumed to support HTTP/3, so that the first request tries it.
    ///
    /// If a server does not respond over QUIC, the request is sent over HTTP/2 or HTTP/1.1, because TCP connects at the
    /// same time. Requests through a proxy or a Unix-domain socket do not use HTTP/3.
    ///
    /// Requires libcurl 8.20 or newer, built with HTTP/3, and `usesHTTP2`. Otherwise every send throws `.unsupported`
    /// before I/O.
    public var assumesHTTP3Capable = false
    /// Whether coded bodies are requested and decoded. The fields that described the coded body are removed.
    ///
    /// The codings are gzip, deflate, Brotli and Zstandard, if the system has their libraries. If a request sets
    /// `Accept-Encoding`, its response body is not decoded.
    public var decodesBodies = true
    /// The `User-Agent` of requests without one; `nil` to omit the field.
    public var userAgent: String? = "NetworkEngine"
    /// The number of bytes to read from a connection at a time.
    public var receiveBufferSize = 1 << 16
    /// Whether the system probes idle connections for a lost peer.
    public var sendsKeepAliveProbes = false
    /// Returns the addresses of a host, in order of preference, instead of the system's name resolution.
    ///
    /// ```swift
    /// configuration.resolver = { host in host == "api.test" ? ["127.0.0.1"] : try await doh.addresses(of: host) }
    /// ```
    /// It is called for each request, so cache results yourself. `Host` and the server's certificate still use the
    /// host's name. Addresses are IPv4 or IPv6, without brackets and ports. It is not called for a host that is an
    /// address, or for a proxy's host. An error, or an empty result, fails the request with `.dns`.
    public var resolver: (@Sendable @concurrent (_ host: String) async throws -> [String])?
    /// The path of a Unix-domain socket to use for every connection instead of the host.
    public var unixSocket: String?

    /// Server trust and client identity.
    ///
    /// With a pin for a whole certificate, each request to its host uses a new connection, and the certificate is
    /// checked before anything is sent. Public key pins have no such cost.
    public var tls = TLSPolicy.standard
    /// The proxy for all requests; none by default.
    public var proxy = ProxyPolicy.direct

    /// Creates a configuration with its default values.
    public init() {}
}

extension CurlConfiguration {
    private static let usualThreads = min(4, Int(lc_processors()))

    var usableThreads: Int { min(64, max(1, threads)) }

    /// Throws `.invalidRequest` for a text that libcurl or the server would not interpret as one value.
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
