#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Sends requests through one long-lived system session.
///
/// ```swift
/// let configuration = URLSessionConfiguration.ephemeral
/// configuration.httpMaximumConnectionsPerHost = 4
/// let transport = URLSessionTransport(configuration: configuration)
/// ```
/// The configuration is copied. Its cache, cookies, stored credentials and timeouts are not used, because the engine
/// has its own. `httpMaximumConnectionsPerHost` limits the concurrent requests to a host. Other requests wait in order
/// of priority. A credential refresh goes before all of them and has an extra permit. A streamed response returns its
/// permit with its head. If the configuration is not supported, every send fails before any I/O. The same applies to a
/// TLS or proxy policy that the platform does not support: on Linux any but the standard ones.
///
/// On Linux the system's session has faults that no wrapper can fix; <doc:Linux> lists them. A server can crash the
/// whole process with an HTTP trailer, a response head that ends in the middle, a `Content-Length` near 2⁶³ or
/// `Location: //%`. Lost connections have crashed libdispatch's event loop once or twice in a million exchanges. If a
/// connection is lost, its request is resent up to five times. Therefore a request that may not be repeated uses a new
/// connection. The session decodes compressed bodies itself, without a limit: a response of 5 KB can use gigabytes of
/// memory after its call has failed with `.limit`. The session reports a response's head when all of it has arrived,
/// and sent bytes when the system has accepted them: the timeout measures from those events, not from each byte. The
/// session cannot request TLS 1.2: the OpenSSL configuration determines the versions.
///
/// For untrusted servers, and for many POST requests, use `CurlTransport`.
public struct URLSessionTransport: TransportDriver {
    /// The transport of a configuration that does not set one.
    public static let shared = URLSessionTransport()

    /// The settings of the given configuration or session that have no effect here, and what applies instead.
    ///
    /// ```swift
    /// for setting in transport.unusedSettings { print(setting) }     // "urlCache: the session caches nothing"
    /// ```
    /// Requests are sent regardless. The list also contains what every new configuration has, such as a cookie storage.
    public var unusedSettings: [String] { settings.map(\.description) }

    private let pool: Result<SessionPool, NetworkError>
    private var settings: [UnusedSetting]
    private let isMadeOfSession: Bool

    /// Creates a transport with a new session.
    ///
    /// - Parameter observer: receives copies of the session's callbacks; see
    ///   `init(session:tls:proxy:options:observer:)`.
    public init(
        configuration: URLSessionConfiguration = .default,
        tls: TLSPolicy = .standard,
        proxy: ProxyPolicy = .environment,
        options: URLSessionOptions = URLSessionOptions(),
        observer: (any URLSessionTaskDelegate)? = nil
    ) {
        settings = configuration.unusedSettings
        isMadeOfSession = false
        pool = Self.pool(configuration, tls, proxy, options, observer)
    }

    /// Creates a transport with an existing session's configuration.
    ///
    /// The transport creates a new session with the same additional headers, URL protocols, network settings and number
    /// of connections per host. It never uses, changes or invalidates the given session, because that session's
    /// delegate would handle redirects and challenges. `validate()` throws for settings that differ from the defaults
    /// and have no effect here. A background session cannot be used.
    ///
    /// ```swift
    /// let transport = URLSessionTransport(session: session, observer: inspector)
    /// ```
    /// On Apple platforms, a delegate that handles challenges may reject certificates that the system accepts. A
    /// transport does not call it, so every send fails with `.unsupported` unless there is a `TLSPolicy` instead.
    ///
    /// - Parameter observer: receives copies of the session's callbacks, for example the delegate of a network
    ///   inspector: created tasks (on Apple platforms), responses, data, sent bytes, metrics (on Apple platforms) and
    ///   completions; with the raw requests and responses, including secrets. It runs on a separate queue, and its
    ///   answers are ignored. If it is slow, data is dropped. It must not cancel tasks or invalidate the session: on
    ///   Linux that can crash.
    public init(
        session: URLSession,
        tls: TLSPolicy = .standard,
        proxy: ProxyPolicy = .environment,
        options: URLSessionOptions = URLSessionOptions(),
        observer: (any URLSessionTaskDelegate)? = nil
    ) {
        settings = session.unusedSettings(observer: observer)
        isMadeOfSession = true
        guard tls != .standard || !session.delegateAnswersChallenges else {
            pool = .failure(
                .unsupported("the session's delegate answers challenges, and would not be asked; use a TLSPolicy"))
            return
        }
        pool = Self.pool(session.configuration, tls, proxy, options, observer)
    }

    /// Creates a transport with a session's configuration, for a client that uses the session's timeouts.
    init(forClientWith session: URLSession) {
        self.init(session: session)
        settings.removeAll(where: \.isTimeout)
    }

    private static func pool(
        _ configuration: URLSessionConfiguration,
        _ tls: TLSPolicy,
        _ proxy: ProxyPolicy,
        _ options: URLSessionOptions,
        _ observer: (any URLSessionTaskDelegate)?
    ) -> Result<SessionPool, NetworkError> {
        Result { () throws(NetworkError) in
            try options.validate()
            let security = try SessionSecurity(tls: tls, proxy: proxy)
            let observer = observer.map { SessionObserver($0) }
            return try SessionPool(configuration, security: security, options: options, observer: observer)
        }
    }

    package var identity: ObjectIdentifier? { (try? pool.get()).map { $0.identity } }

    /// Throws the error that every send would throw because of the transport's configuration.
    ///
    /// For a transport created from a session, it also throws `.unsupported` for settings that differ from a new
    /// configuration's and have no effect here, and for an unused delegate. The reason lists them all. Requests are
    /// sent regardless. To accept the differences, create the transport from `session.configuration`.
    public func validate() throws(NetworkError) {
        _ = try openPool()
        let chosen = settings.filter { isMadeOfSession && $0.isChosen }
        if chosen.isEmpty { return }
        let list = chosen.map(\.description).joined(separator: "; ")
        throw .unsupported("the transport does not use these settings of the session: \(list)")
    }

    private func openPool(for request: HTTPRequest? = nil) throws(NetworkError) -> SessionPool {
        do throws(NetworkError) {
            let pool = try pool.get()
            if pool.gate.isClosed { throw .transportIsShutDown }
            return pool
        } catch {
            throw error.completed(request: request)
        }
    }

    /// Sends a request. When the awaiting task is canceled, it throws `CancellationError` immediately.
    public func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
        let pool = try openPool(for: request)
        try request.validate()
        try request.checkForURLSession()
        try Task.checkCancellation()
        if let offer = context.upgrade { return try await pool.upgrades.response(to: request, offer, context) }
        let upload: UploadBody? =
            if case .stream = request.body {
                try await pool.gate.whileOpen(for: request) {
                    try await UploadBody.preparing(request, context: context)
                }
            } else {
                try await UploadBody.preparing(request, context: context)
            }
        let exchange = Exchange(
            request,
            context: context,
            upload: upload,
            backlogInFile: context.limits.streamBacklog
        )
        let session = pool.session(for: request)
        let task = SessionTask(exchange, upload: upload, session: session, gate: pool.gate)
        return try await exchange.response(by: task)
    }

    /// Cancels all waiting and running requests with `.cancelled`, and closes all connections.
    ///
    /// Afterwards `validate()` and every send throw `.unsupported`: other providers with this transport need a new one.
    /// Releasing the transport does not cancel anything: running requests complete.
    public func shutdown() {
        guard case .success(let pool) = pool else { return }
        pool.shutDown()
    }
}

#if !canImport(FoundationNetworking)
extension URLSessionTransport: UpgradingTransport {}
#endif
