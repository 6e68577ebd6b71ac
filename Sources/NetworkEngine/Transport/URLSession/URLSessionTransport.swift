#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Sends requests through one long-lived session of the system.
///
/// ```swift
/// let configuration = URLSessionConfiguration.ephemeral
/// configuration.httpMaximumConnectionsPerHost = 4
/// let transport = URLSessionTransport(configuration: configuration)
/// ```
/// The configuration is copied. Its cache, cookies, stored credentials and timeouts are not used: the engine has its
/// own. `httpMaximumConnectionsPerHost` limits the concurrent requests to a host. Other requests wait in order of
/// priority. A refresh of a credential goes before all of them and has an extra permit. A streamed response returns its
/// permit with its head. A configuration that is not supported makes every send fail before I/O, and so does a policy
/// for TLS or proxies that the platform does not support: on Linux any but the standard ones.
///
/// On Linux the system's session has faults that cannot be fixed above it; <doc:Linux> lists them. A server can end the
/// whole process with an HTTP trailer, a response head that ends in the middle, a `Content-Length` near 2⁶³ or
/// `Location: //%`. Lost connections have crashed libdispatch's event loop once or twice in a million exchanges. A
/// request on a connection that is lost is sent again, up to five times: a request that may not be repeated has a new
/// connection. The session decodes compressed bodies itself, without a limit: a response of 5 KB can take gigabytes of
/// memory after its call has ended with `.limit`. The session reports a response's head when all of it has arrived, and
/// sent bytes when the system has taken them: the timeout counts those moments, not each byte. The session cannot
/// request TLS 1.2: OpenSSL's configuration decides which versions are used.
///
/// For servers that are not trusted, and for many POST requests, use `CurlTransport`.
public struct URLSessionTransport: TransportDriver {
    /// The transport of a configuration that sets no other.
    public static let shared = URLSessionTransport()

    /// The settings of the given configuration or session that have no effect here, and what applies instead.
    ///
    /// ```swift
    /// for setting in transport.unusedSettings { print(setting) }     // "urlCache: the session caches nothing"
    /// ```
    /// Requests are sent regardless. The list also names what every new configuration has, such as a cookie storage.
    public var unusedSettings: [String] { settings.map(\.description) }

    private let pool: Result<SessionPool, NetworkError>
    private var settings: [UnusedSetting]
    private let isMadeOfSession: Bool

    /// Creates a transport with a new session.
    ///
    /// - Parameter observer: gets copies of the session's callbacks; see `init(session:tls:proxy:options:observer:)`.
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

    /// Creates a transport with the configuration of an existing session.
    ///
    /// The transport makes a new session with the same additional headers, URL protocols, network settings and number
    /// of connections per host. It never uses, changes or invalidates the given one: the delegate of that session would
    /// decide about redirects and challenges. `validate()` throws for settings that were changed from their defaults
    /// and have no effect here. A background session cannot be used.
    ///
    /// ```swift
    /// let transport = URLSessionTransport(session: session, observer: inspector)
    /// ```
    /// On Apple platforms, a delegate that answers challenges may refuse certificates that the system accepts. A
    /// transport does not ask it, so every send fails with `.unsupported` unless there is a `TLSPolicy` instead.
    ///
    /// - Parameter observer: gets copies of the session's callbacks, such as the delegate of an inspector: created
    ///   tasks (on Apple platforms), responses, data, sent bytes, metrics (on Apple platforms) and completions; with
    ///   the raw requests and responses, including secrets. It runs on a separate queue, and its answers are ignored.
    ///   If it is slow, data is dropped. It must not cancel tasks or invalidate the session: on Linux that can crash.
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

    /// Creates a transport with the configuration of a session, for a client that has the timeouts of the session.
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

    /// Throws the error that every send would throw because of how the transport was configured.
    ///
    /// For a transport that was made of a session, it also throws `.unsupported` for settings that differ from those of
    /// a new configuration and have no effect here, and for an unused delegate. The reason names them all. Requests are
    /// sent nevertheless. To accept the differences, make the transport of `session.configuration`.
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

    /// Sends a request. When the task that awaits it is canceled, it throws `CancellationError` at once.
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

    /// Ends all waiting and running requests with `.cancelled`, and closes all connections.
    ///
    /// Later, `validate()` and every send throw `.unsupported`: other providers with this transport need a new one.
    /// Releasing the transport does neither: running requests complete.
    public func shutdown() {
        guard case .success(let pool) = pool else { return }
        pool.shutDown()
    }
}

#if !canImport(FoundationNetworking)
extension URLSessionTransport: UpgradingTransport {}
#endif
