import CLibcurl
import Foundation
import NetworkEngine

/// The options in a transport's configuration that apply to all exchanges.
struct CurlSharedOptions: Sendable {
    private let usesHTTP2: Bool
    let usesHTTP3: Bool
    let decodes: Bool
    /// Whether one exchange's options can be kept for another.
    let keepsOptions: Bool
    let announcesRequests: Bool
    /// Whether the caller resolves host names.
    let resolves: Bool
    /// Whether a handle can be used for several exchanges.
    let reusesHandles: Bool
    let guardsFirstField: Bool
    /// Whether a GET is sent without reading libcurl's messages, because a refusal has a distinct error.
    let sendsUnheard: Bool
    /// Whether a refused request is detected without reading the messages of other exchanges on its connection.
    let reportsRefusals: Bool
    /// Whether streamed request bodies may use HTTP/2.
    private let streamsByHTTP2: Bool
    let security: CurlSecurity
    private let library: CurlLibrary
    private let configuration: CurlConfiguration

    init(_ configuration: CurlConfiguration, _ library: CurlLibrary) throws(NetworkError) {
        try configuration.checkTexts()
        try configuration.tls.validate()
        try configuration.proxy.validate()
        security = try CurlSecurity(configuration.tls, library)
        if configuration.unixSocket != nil, !library.has(LC_FEATURE_UNIX_SOCKETS) {
            throw .unsupported("this libcurl has no Unix-domain sockets")
        }
        if configuration.resolver != nil, !library.keepsResolutionsForATime {
            throw .unsupported("a resolver needs libcurl 7.75 or newer, and this is \(library.version)")
        }
        if configuration.assumesHTTP3Capable {
            if let fault = library.faultOfHTTP3 { throw .unsupported(fault) }
            // If QUIC does not respond, libcurl offers HTTP/2.
            if !configuration.usesHTTP2 { throw .unsupported("assumesHTTP3Capable needs usesHTTP2") }
        }
        self.configuration = configuration
        self.library = library
        // Connections over a Unix-domain socket cannot be distinguished.
        let isShared = configuration.unixSocket == nil
        usesHTTP3 = configuration.assumesHTTP3Capable && isShared && !configuration.proxy.mayApply
        usesHTTP2 = configuration.usesHTTP2 && library.has(LC_FEATURE_HTTP2) && isShared
        decodes = configuration.decodesBodies && !CurlDecoder.offer.isEmpty
        announcesRequests = library.announcesRequests
        resolves = configuration.resolver != nil
        guardsFirstField = library.guardsFirstField
        // A proxy's responses to CONNECT cannot be seen before libcurl reads them.
        reusesHandles = library.reusesHandles && !(library.guardsFirstField && configuration.proxy.mayApply)
        sendsUnheard = library.reportsRefusalsByError
        reportsRefusals = library.reportsRefusals
        streamsByHTTP2 = library.streamsByHTTP2
        keepsOptions =
            announcesRequests && configuration.tls.pins.isEmpty && configuration.tls.hostAuthorities.isEmpty
            && configuration.tls.clientCertificate == nil
    }

    /// The Unix-domain socket for all connections.
    var path: String? { configuration.unixSocket }
    var proxy: ProxyPolicy { configuration.proxy }

    /// Whether an exchange may share a connection with others: it offers HTTP/2 or HTTP/3.
    ///
    /// Before 8.7 libcurl may repeat or lose bytes of a streamed request body over HTTP/2.
    func sharesConnections(_ wire: CurlRequest, _ upload: CurlUpload?) -> Bool {
        // Trailer fields are sent only over HTTP/1.1.
        wire.isTLS && (usesHTTP2 || usesHTTP3) && (upload?.isLive != true || streamsByHTTP2)
            && upload?.trailerNames.isEmpty != false
    }

    /// The HTTP versions that the exchanges of a multi handle offer.
    func version(on kind: LCMultiKind) -> Int {
        guard kind == LC_MULTI_SHARING else { return LC_HTTP_1_1 }
        return usesHTTP3 ? LC_HTTP_3_OR_EARLIER : LC_HTTP_2_OVER_TLS
    }

    /// Sets the multi handles' options.
    func apply(to system: OpaquePointer) {
        // With a low descriptor limit, idle connections leave most descriptors to others.
        let most = min(max(1, lc_descriptor_limit() / 16), 1 << 20)
        // Each loop gets its share of them.
        lc_loop_keep(system, max(1, min(configuration.idleConnections, most) / configuration.usableThreads))
        for kind in [LC_MULTI_SHARING, LC_MULTI_SERIAL] {
            guard let multi = lc_loop_multi(system, kind) else { continue }
            // From 8.20 on the name resolution threads belong to the multi handle. Older versions reject the option.
            _ = lc_multi_set_number(multi, Int32(LC_MULTI_QUICK_EXIT), 1)
            // Without the callback before each request, a connection shared by two requests would not be noticed.
            let shares = kind == LC_MULTI_SHARING && library.announcesRequests
            if !shares { _ = lc_multi_set_number(multi, Int32(LC_MULTI_PIPELINING), 0) }
        }
    }

    /// Sets a new handle's options.
    func apply(to easy: OpaquePointer, host: String, isForeign: Bool) -> AbortReason? {
        var options = CurlOptionSetter(easy)
        options.set(LC_OPT_NOSIGNAL, 1)
        if library.leavesResolutions { options.set(LC_OPT_QUICK_EXIT, 1) }
        if library.namesProtocols {
            options.set(LC_OPT_PROTOCOLS_STR, "http,https")
        } else {
            options.set(LC_OPT_PROTOCOLS, LC_PROTOCOL_HTTP | LC_PROTOCOL_HTTPS)
        }
        options.set(LC_OPT_DISALLOW_USERNAME_IN_URL, 1)
        options.set(LC_OPT_PATH_AS_IS, 1)
        options.set(LC_OPT_SUPPRESS_CONNECT_HEADERS, 1)
        options.set(LC_OPT_USERAGENT, configuration.userAgent)
        options.set(LC_OPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.milliseconds)
        // Each request contains the resolver's addresses. Without them libcurl would use the system's resolver.
        let lifetime = configuration.nameLifetime.seconds
        options.set(LC_OPT_DNS_CACHE_TIMEOUT, resolves ? max(lifetime, 3_600) : lifetime)
        options.set(LC_OPT_MAXAGE_CONN, max(1, configuration.idleLifetime.seconds))
        options.set(LC_OPT_BUFFERSIZE, min(max(1 << 10, configuration.receiveBufferSize), 10 << 20))
        if configuration.sendsKeepAliveProbes { options.set(LC_OPT_TCP_KEEPALIVE, 1) }
        if let path = configuration.unixSocket { options.set(LC_OPT_UNIX_SOCKET_PATH, path) }
        options.set(LC_OPT_PIPEWAIT, 1)
        apply(configuration.proxy, with: &options)
        if configuration.proxy.mayBeSecure { security.applyToProxy(configuration.proxy.host, with: &options) }
        security.apply(with: &options, host: host, isForeign: isForeign)
        return options.fault
    }

    private func apply(_ proxy: ProxyPolicy, with options: inout CurlOptionSetter) {
        switch proxy {
        case .environment: break
        // An empty proxy keeps libcurl from reading the environment.
        case .direct: options.set(LC_OPT_PROXY, "")
        case .url(let url, let credentials):
            options.set(LC_OPT_PROXY, url.absoluteString)
            options.set(LC_OPT_NOPROXY, "")
            guard let credentials else { return }
            options.set(LC_OPT_PROXYUSERNAME, credentials.user)
            options.set(LC_OPT_PROXYPASSWORD, credentials.password)
        }
    }
}

extension ProxyPolicy {
    /// Whether requests may go through a proxy. libcurl would request a QUIC tunnel from it.
    fileprivate var mayApply: Bool {
        switch self {
        case .direct: false
        case .url: true
        case .environment: Self.environment.contains { !$0.isEmpty }
        }
    }
}

extension ProxyPolicy {
    /// The proxy's host, if it is known here.
    fileprivate var host: String {
        if case .url(let url, _) = self { url.origin.host } else { "" }
    }

    /// Whether the connection to the proxy may use TLS.
    fileprivate var mayBeSecure: Bool {
        switch self {
        case .direct: false
        case .url(let url, _): url.scheme?.lowercased() == "https"
        case .environment: (Self.environment + Self.values(of: ["http_proxy"])).contains { $0.hasPrefix("https:") }
        }
    }

    /// The environment's proxies for TLS requests.
    private static var environment: [String] { values(of: ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]) }

    private static func values(of names: [String]) -> [String] {
        names.compactMap { ProcessInfo.processInfo.environment[$0]?.lowercased() }
    }
}

extension Duration {
    /// The whole milliseconds, computed from the components, because dividing durations costs more than setting most
    /// options.
    fileprivate var milliseconds: Int {
        let time = min(max(.milliseconds(1), self), .seconds(1 << 20)).components
        return Int(time.seconds * 1_000 + time.attoseconds / 1_000_000_000_000_000)
    }

    fileprivate var seconds: Int { Int(min(max(.zero, self), .seconds(1 << 30)).components.seconds) }
}
