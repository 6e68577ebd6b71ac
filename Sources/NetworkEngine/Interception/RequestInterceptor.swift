/// A link in the chain between a call and the transport. Implement the hooks that you need.
///
/// For requests, links run in list order, and for responses in reverse order. Each link runs `adapt`, then `intercept`,
/// with `next` as the following link. Every attempt starts from the original request, so signatures and tokens are
/// fresh and changes do not accumulate.
///
/// ```swift
/// struct Stamp: RequestInterceptor {
///     func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
///         var request = request
///         request.headers["X-Attempt"] = "\(context.attempt)"
///         return request
///     }
/// }
/// ```
/// A hook with other parameters would never be called. Therefore `adapt(_:)`, `adapt(_:completion:)`,
/// `intercept(_:next:)`, `retry(after:)`, hooks that take a `URLRequest` or `any Error`, and a throwing
/// `retry(after:context:)` do not compile.
///
/// Hooks run off the caller's actor. When the call is canceled or its deadline passes, the task that runs them is
/// canceled. A hook that waits should respond to cancellation.
public protocol RequestInterceptor: RequestInterceptorDeclaration
where
    AdaptedWithoutContext: NoSuchHook, AdaptedURLRequest: NoSuchHook, CompletedRequest: NoSuchHook,
    SessionRequest: NoSuchHook, InterceptedWithoutContext: NoSuchHook,
    AdviceWithoutContext: NoSuchHook, AdviceAfterAnyError: NoSuchHook, SessionFailure: NoSuchHook,
    AdviceFailure: RetryDoesNotThrow
{
    /// The rest of the chain, down to the transport and back.
    typealias Next = @Sendable @concurrent (HTTPRequest) async throws -> HTTPResponse

    /// Changes the request before it continues. If it throws, the attempt fails.
    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest

    /// Wraps the rest of the chain: returns a response without it, races it, or inspects its response.
    ///
    /// A response with an error status is still a response here, not an error. To repeat a request, return a decision
    /// from `retry(after:context:)` instead.
    func intercept(_ request: HTTPRequest, context: RequestContext, next: @escaping Next) async throws -> HTTPResponse

    /// Decides what to do after a failed attempt. Not called for a canceled call.
    ///
    /// It does not throw: to give up with another error, return `.fail(error)`.
    ///
    /// It is also called after the last attempt (`context.isLastAttempt`). The interceptor can then replace the error
    /// or replay a token, but the engine repeats nothing else.
    func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision

    /// Where `adapt` and `intercept` run within a call. The default is `.attempt`.
    var stage: InterceptorStage { get }

    /// Whether a hook can wait, beyond the call's deadline, for anything but `next`: a network call, a timer, the user.
    ///
    /// The default is `true`. A call with a deadline runs in a separate task, so that it can end while a hook waits. If
    /// no hook waits, the call does not need that task and costs half as much.
    var mayWait: Bool { get }
}

extension RequestInterceptor {
    public func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest { request }

    public func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        try await interceptAsDeclared(request, context, next)
    }

    public func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision { .doNotRetry }

    public var stage: InterceptorStage { .attempt }

    public var mayWait: Bool { true }
}

/// An interceptor's decision after a failed attempt.
///
/// The engine counts attempts, waits and gives up. The first interceptor in the list that returns anything other than
/// `doNotRetry` decides.
public enum RetryDecision: Sendable {
    /// No opinion; the engine consults the next interceptor.
    case doNotRetry
    /// Retry immediately.
    case retry
    /// Retry after a delay. If the delay exceeds the time left, the call fails immediately.
    case retryAfter(Duration)
    /// Give up with this error.
    case fail(any Error)
}

@available(
    *, unavailable,
    message: """
        This hook would never be called. Declare \
        'func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision'.
        """
)
extension RetryDecision: NoSuchHook {}

/// An interceptor with the stage `.exchange`, unless it declares another one: its hooks run for every exchange,
/// including each redirect, instead of once per attempt.
///
/// ```swift
/// struct Hops: ExchangeInterceptor {
///     func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
///         print(request.url)                      // the requested address, then each redirect
///         return request
///     }
/// }
/// ```
/// A change by `adapt` applies to one exchange only: the next hop starts from the request before the change. Call
/// `next` at most once in `intercept`, because the engine would not count a second exchange.
public protocol ExchangeInterceptor: RequestInterceptor {}

extension ExchangeInterceptor {
    public var stage: InterceptorStage { .exchange }
}
