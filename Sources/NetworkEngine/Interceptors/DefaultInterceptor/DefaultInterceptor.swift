/// What most apps need, from two closures: no calls without a network, a renewed session after a 401, retries.
///
/// ```swift
/// let interceptor = DefaultInterceptor(
///     refreshToken: { await session.renew() },
///     isNetworkReachable: { monitor.isReachable }
/// )
/// let provider = NetworkProvider<UserAPI>(interceptor: interceptor)
/// ```
/// It is made of the parts that can be had alone. Where `isNetworkReachable` says no, a call fails before I/O with an error
/// of kind `.offline`. After a 401 `refreshToken` is called once, however many calls were rejected, and says whether they
/// are to be made again; when it says no, each gets its own 401. It puts the session into requests itself, by an
/// interceptor of its own or cookies; a `TokenRefresher` does that too. All else is a `RetryPolicy`'s. The closure can make
/// calls with the same provider.
public struct DefaultInterceptor: RequestInterceptor, SessionInterceptor {
    private let parts: InterceptorChain
    private let refresher: TokenRefresher<SessionGeneration>

    public init(
        refreshToken: @escaping @Sendable @concurrent () async throws -> Bool,
        isNetworkReachable: @escaping @Sendable @concurrent () async -> Bool = { true },
        retry: RetryPolicy = RetryPolicy(),
        options: RefreshOptions = RefreshOptions()
    ) {
        var options = options
        // Nothing that could leak is sent, and a provider may be asked without a target.
        options.sendsNothing = true
        let refresher = TokenRefresher(store: SessionGenerationStore(), options: options) { mark, _ in
            guard try await refreshToken() else { throw RefreshFailure.declined }
            return mark.next
        }
        self.refresher = refresher
        parts = InterceptorChain([NetworkGate(isOpen: isNetworkReachable), retry, refresher]) { request, _ in
            throw NetworkError.cancelled(request)
        }
    }

    /// Makes the same interceptor of two functions that have names.
    ///
    /// ```swift
    /// static let interceptor = DefaultInterceptor(renewSession, isNetworkReachable)
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

    package func callBegins(_ notes: CallStorage) { refresher.callBegins(notes) }

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
