import CLibcurl
import Foundation
public import NetworkEngine

/// Configures connections, limits and security of a transport over libcurl.
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
    /// Without HTTP/2 each request needs its own connection.
    public var requestsPerHost = 64
    /// The maximum number of concurrent requests in total.
    public var requestsInTotal = 256
    /// The number of threads that send requests, each with connections of its own; at most 64.
    ///
    /// Few requests at a time use one thread. From 9 of them on the others take part. Requests to a server that speaks
    /// HTTP/2 stay on one thread, and so on one connection, up to 100 at a time. All limits hold for all threads
    /// together.
    ///
    /// One for each core, and at most four, unless said otherwise.
    public var threads = CurlConfiguration.usualThreads
    /// The number of requests from which on a thread shares its work. Tests share more.
    var requestsUntilShared = LoopBalance.usualShare
    /// The maximum number of idle connections that are kept for later requests; at most an eighth of the descriptors
    /// that the process may have. They are closed when a new connection finds no free descriptor. Each thread keeps its
    /// part of them, at least one.
    ///
    /// Connections in use do not count. While many requests run, their connections are kept for the next ones. Those
    /// above the limit are closed within a few seconds after most of the requests have ended.
    public var idleConnections = 256
    /// The time that an unused connection is kept, in whole seconds.
    public var idleLifetime: Duration = .seconds(60)
    /// Limits name resolution, connecting and the TLS handshake together.
    public var connectTimeout: Duration = .seconds(30)
    /// The time that the address of a host is cached, in whole seconds.
    public var nameLifetime: Duration = .seconds(60)
    /// Whether HTTP/2 is offered in the TLS handshake.
    public var usesHTTP2 = true
    /// Whether servers are assumed to speak HTTP/3, so that the first request to one tries it.
    ///
    /// Where a server does not answer by QUIC, the request is sent by HTTP/2 or HTTP/1.1: TCP connects in the meantime.
    /// Requests through a proxy or a Unix-domain socket do not use it.
    ///
    /// It needs libcurl 8.20 or newer, built with HTTP/3, and `usesHTTP2`. Otherwise every send throws `.unsupported`
    /// before I/O.
    public var assumesHTTP3Capable = false
    /// Whether coded bodies are requested and decoded. The fields that described the coded body are removed.
    ///
    /// The codings are gzip, deflate, Brotli and Zstandard, as far as the system has their libraries.
    /// If a request sets `Accept-Encoding`, its body stays as the server sent it.
    public var decodesBodies = true
    /// The `User-Agent` of requests without one; `nil` for no such field.
    public var userAgent: String? = "NetworkEngine"
    /// The number of bytes that are read from a connection at a time.
    public var receiveBufferSize = 1 << 16
    /// Whether the system probes idle connections for a lost peer.
    public var sendsKeepAliveProbes = false
    /// Returns the addresses of a host, in order of preference, in place of the system's resolution of names.
    ///
    /// ```swift
    /// configuration.resolver = { host in host == "api.test" ? ["127.0.0.1"] : try await doh.addresses(of: host) }
    /// ```
    /// It is asked for each request, and caches what it knows itself. `Host` and the server's certificate stay those of
    /// the host. Addresses are IPv4 or IPv6, without brackets and ports. A host that is an address, and that of a
    /// proxy, are not asked for. An error, or no address, fails the request with `.dns`.
    public var resolver: (@Sendable @concurrent (_ host: String) async throws -> [String])?
    /// The path of a Unix-domain socket to use for every connection instead of the host.
    public var unixSocket: String?

    /// Server trust and client identity.
    ///
    /// With a pin for a whole certificate, each request to its host uses a new connection. Its certificate is checked
    /// before anything is sent. Pins for public keys have no such cost.
    public var tls = TLSPolicy.standard
    /// The proxy for all requests; none by default.
    public var proxy = ProxyPolicy.direct

    /// Creates a configuration with its default values.
    public init() {}
}

extension CurlConfiguration {
    private static let usualThreads = min(4, Int(lc_processors()))

    var usableThreads: Int { min(64, max(1, threads)) }

    /// Throws `.invalidRequest` for a text that libcurl or the server would not read as one value.
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
