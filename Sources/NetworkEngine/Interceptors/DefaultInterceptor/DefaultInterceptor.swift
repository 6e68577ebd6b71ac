import Foundation

/// Checks the network, refreshes the session after a 401 and retries: the needs of most apps, from two closures.
///
/// ```swift
/// let interceptor = DefaultInterceptor(
///     refreshToken: { await session.refresh() },
///     isNetworkReachable: { monitor.isReachable }
/// )
/// let provider = NetworkProvider<UserAPI>(interceptor: interceptor)
/// ```
/// If `isNetworkReachable` returns `false`, a call fails before I/O with an error of kind `.offline`. After a 401
/// `refreshToken` is called once, regardless of the number of rejected calls. If it returns `true`, the rejected calls
/// are sent again; if it returns `false`, each call fails with its own 401. The interceptor does not add the session to
/// requests: use cookies or another interceptor for that, or a `TokenRefresher` instead of this interceptor. Other
/// failures are left to a `RetryPolicy`. The `refreshToken` closure can make calls with the same provider.
public struct DefaultInterceptor:
    RequestInterceptor, SessionInterceptor, NonAdaptingInterceptor, ComposedInterceptor
{
    private let parts: InterceptorChain
    private let refresher: TokenRefresher<SessionGeneration>

    public init(
        refreshToken: @escaping @Sendable @concurrent () async throws -> Bool,
        isNetworkReachable: @escaping @Sendable @concurrent () async -> Bool = { true },
        retry: RetryPolicy = RetryPolicy(),
        options: RefreshOptions = RefreshOptions()
    ) {
        var options = options
        // No secret is sent, and a provider can send requests without a target.
        options.sendsNothing = true
        let refresher = TokenRefresher(store: SessionGenerationStore(), options: options) { generation, _ in
            guard try await refreshToken() else { throw RefreshFailure.declined }
            return generation.next
        }
        self.refresher = refresher
        parts = InterceptorChain([ReachabilityCheck(isReachable: isNetworkReachable), retry, refresher]) { request, _ in
            throw NetworkError.cancelled(request)
        }
    }

    /// Creates the same interceptor from two named functions.
    ///
    /// ```swift
    /// static let interceptor = DefaultInterceptor(refreshSession, isNetworkReachable)
    /// ```
    @_disfavoredOverload
    public init(
        _ refreshToken: @escaping @Sendable @concurrent () async throws -> Bool,
        _ isNetworkReachable: @escaping @Sendable @concurrent () async -> Bool = { true },
        retry: RetryPolicy = RetryPolicy(),
        options: RefreshOptions = RefreshOptions()
    ) {
        self.init(
            refreshToken: refreshToken, isNetworkReachable: isNetworkReachable, retry: retry, options: options)
    }

    package static let compositionRules: [CompositionRule] = [
        .unique,
        .excludes(RetryPolicy.self, because: "DefaultInterceptor has one inside; pass yours as `retry:`"),
        .excludes(TokenRefresher<SessionGeneration>.self, because: "both refresh after a 401; keep one of them"),
    ]

    package func callBegins(_ storage: CallStorage) { refresher.callBegins(storage) }

    public func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        try await parts.ending(in: { request, _ in try await next(request) }).send(request, context: context)
    }

    public func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
        await parts.advice(after: error, context: context)
    }
}

/// Fails requests before I/O if the network cannot be reached.
private struct ReachabilityCheck: NonInterceptingInterceptor {
    let isReachable: @Sendable @concurrent () async -> Bool

    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        guard await isReachable() else { throw NetworkError.withoutNetwork(request) }
        return request
    }
}

/// Distinguishes one session from the next. Other code adds the session to requests.
private struct SessionGeneration: Credential {
    var number = 0

    var next: SessionGeneration { SessionGeneration(number: number + 1) }
    var expiresAt: Date? { nil }

    func apply(to request: inout HTTPRequest) {}

    func isSetByHand(in request: HTTPRequest) -> Bool { false }
}

/// Stores the current generation. There always is one, because the store does not know whether a user is signed in.
private struct SessionGenerationStore: CredentialStore {
    private let generation = Locked(SessionGeneration())

    func load() -> SessionGeneration? { generation.withLock { $0 } }

    func save(_ new: SessionGeneration?, replacing old: SessionGeneration?) -> Bool {
        generation.withLock { generation in
            guard generation == old else { return false }
            generation = new ?? generation.next
            return true
        }
    }
}
