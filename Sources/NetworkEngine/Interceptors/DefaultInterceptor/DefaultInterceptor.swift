import Foundation

/// Checks the network, adds the token, refreshes the session after a 401 and retries: what most apps need, from
/// closures.
///
/// ```swift
/// let interceptor = DefaultInterceptor(
///     refreshToken: { await session.refresh() },
///     isNetworkReachable: { monitor.isReachable },
///     token: { await session.token },
///     onSessionExpired: { await session.signOut() }
/// )
/// let provider = NetworkProvider<UserAPI>(interceptor: interceptor)
/// ```
/// If `isNetworkReachable` returns `false`, a call fails before any I/O with an error of kind `.offline`. After a 401,
/// `refreshToken` is called once, regardless of the number of rejected calls. If it returns `true`, the rejected calls
/// are retried; if it returns `false`, each call fails with its own 401. Other failures are left to a `RetryPolicy`.
/// The closures can make calls with the same provider. Calls made by `refreshToken` are sent without the token.
///
/// The interceptor does not track which user a token belongs to. A call that waits for `refreshToken` is retried with
/// the token current at that time, even if another user has signed in. If users can change, use a `TokenRefresher` and
/// its `signOut()`.
///
/// Without `token` the interceptor does not add the session to requests: use cookies or another interceptor for that,
/// or use a `TokenRefresher` instead of this interceptor.
public struct DefaultInterceptor:
    RequestInterceptor, SessionInterceptor, NonAdaptingInterceptor, ComposedInterceptor, InterceptorGroup
{
    package let parts: InterceptorChain
    private let refresher: TokenRefresher<SessionGeneration>
    private let losses: Locked<SessionLosses>

    /// - Parameters:
    ///   - refreshToken: refreshes the session, and returns whether it is valid again.
    ///   - isNetworkReachable: returns whether there is a network. Called for each attempt.
    ///   - token: returns the bearer token for requests to the origin of the target's `baseURL`, or to the options'
    ///     `allowedOrigins`. Called for each attempt, so that a retry uses the new token. See `TokenSource` for
    ///     details.
    ///   - onSessionExpired: called once when a session is lost: `refreshToken` returned `false`, or threw an error
    ///     that is not a network or server failure. It is called again only after another session: a successful
    ///     refresh, another token, or a successful call.
    ///   - retryCount: the maximum number of retries after the first attempt, from 0 to 4, instead of the limit of
    ///     `retry`. An `attemptLimit` set in the configuration also applies.
    ///   - retry: retries calls that failed for a temporary reason.
    ///   - options: the times and rules of a refresh.
    public init(
        refreshToken: @escaping @Sendable @concurrent () async throws -> Bool,
        isNetworkReachable: @escaping @Sendable @concurrent () async -> Bool = { true },
        token: (@Sendable @concurrent () async throws -> String?)? = nil,
        onSessionExpired: (@Sendable @concurrent () async -> Void)? = nil,
        retryCount: Int? = nil,
        retry: RetryPolicy = RetryPolicy(),
        options: RefreshOptions = RefreshOptions()
    ) {
        let losses = Locked(SessionLosses())
        var (retry, options) = (retry, options)
        if let retryCount { retry.attemptLimit = min(max(retryCount, 0), 4) + 1 }
        // Without a token, no secret is sent, and a provider can send requests without a target.
        options.sendsNothing = token == nil
        let refresher = TokenRefresher(
            store: SessionGenerationStore(),
            options: options,
            refresh: { generation, _ in
                guard try await refreshToken() else { throw RefreshFailure.declined }
                losses.withLock { $0.sessionBegan() }
                return generation.next
            },
            onFailure: { failure in
                guard failure.losesSession, losses.withLock({ $0.sessionEnded() }) else { return }
                await onSessionExpired?()
            }
        )
        let source = token.map { token in
            TokenSource(origins: options.allowedOrigins ?? []) {
                let value = try await token()
                if let value, losses.withLock({ $0.sent(value) }) { await refresher.forgetFailures() }
                return value
            }
        }
        // The token comes last, because the refresher can wait for a refresh that changes the token.
        let last = source.map { [SessionToken(source: $0, refresher: refresher)] } ?? []
        self.losses = losses
        self.refresher = refresher
        parts = InterceptorChain(
            [ReachabilityCheck(isReachable: isNetworkReachable), retry, refresher] + last
        ) { request, _ in
            throw NetworkError.cancelled(request)
        }
    }

    /// Creates the same interceptor with two named functions.
    ///
    /// ```swift
    /// static let interceptor = DefaultInterceptor(refreshSession, isNetworkReachable)
    /// ```
    @_disfavoredOverload
    public init(
        _ refreshToken: @escaping @Sendable @concurrent () async throws -> Bool,
        _ isNetworkReachable: @escaping @Sendable @concurrent () async -> Bool = { true },
        token: (@Sendable @concurrent () async throws -> String?)? = nil,
        onSessionExpired: (@Sendable @concurrent () async -> Void)? = nil,
        retryCount: Int? = nil,
        retry: RetryPolicy = RetryPolicy(),
        options: RefreshOptions = RefreshOptions()
    ) {
        self.init(
            refreshToken: refreshToken,
            isNetworkReachable: isNetworkReachable,
            token: token,
            onSessionExpired: onSessionExpired,
            retryCount: retryCount,
            retry: retry,
            options: options
        )
    }

    package static let compositionRules: [CompositionRule] = [
        .unique,
        .excludes(RetryPolicy.self, because: "DefaultInterceptor has one inside; pass yours as `retry:`"),
        .excludes(TokenRefresher<SessionGeneration>.self, because: "both refresh after a 401; keep one of them"),
    ]

    package func callBegins(_ storage: CallStorage) { refresher.callBegins(storage) }

    package func refusal(of request: HTTPRequest, _ storage: CallStorage) -> NetworkError? {
        refresher.refusal(of: request, storage)
    }

    package func hasEnded(_ storage: CallStorage) -> Bool { refresher.hasEnded(storage) }

    package func isOfSameUser(as storage: CallStorage) -> Bool { refresher.isOfSameUser(as: storage) }

    public func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        let session = losses.withLock { $0.session }
        let response = try await parts.ending(in: { request, _ in try await next(request) })
            .pass(request, context: context)
        // A cached response does not prove a valid session.
        if response.statusCode < 400, response.source != .cache, context.authorization != .anonymous,
            !refresher.isPartOfRefresh(context)
        {
            if losses.withLock({ $0.accepted(in: session) }) { await refresher.forgetFailures() }
        }
        return response
    }

    public func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
        await parts.interceptors.advice(after: error, context: context)
    }
}

/// Fails requests before any I/O if the network is not reachable.
private struct ReachabilityCheck: NonInterceptingInterceptor {
    let isReachable: @Sendable @concurrent () async -> Bool

    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        if context.usesOnlyCache { return request }
        guard await isReachable() else { throw NetworkError.withoutNetwork(request) }
        return request
    }
}

/// Adds the token to requests, except to a refresh's own requests.
private struct SessionToken: NonInterceptingInterceptor, CredentialInterceptor {
    let source: TokenSource
    let refresher: TokenRefresher<SessionGeneration>

    var credentialPlace: String? { source.credentialPlace }
    var credentialOrigins: [URL] { source.credentialOrigins }

    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        guard !refresher.isPartOfRefresh(context) else { return request }
        return try await source.adapt(request, context: context)
    }
}
