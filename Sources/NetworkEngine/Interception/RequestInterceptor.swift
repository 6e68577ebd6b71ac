/// A link of the chain between a call and the transport; implement the hooks that you need.
///
/// Links run in list order on the way out and in reverse order on the way back: for each link `adapt`, then
/// `intercept`. Its `next` is the following link. Every attempt starts from the original request, so signatures and
/// tokens are fresh and changes do not accumulate.
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
/// Hooks run off the caller's actor. When the call is canceled or its deadline passes, the task that runs them is
/// canceled. A hook that waits should respond to cancellation.
public protocol RequestInterceptor: RequestInterceptorDeclaration {
    /// The rest of the chain, down to the transport and back.
    typealias Next = @Sendable @concurrent (HTTPRequest) async throws -> HTTPResponse

    /// Changes the request before it continues. A thrown error ends the attempt.
    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest

    /// Wraps the rest of the chain: answers without it, races it, or inspects its response.
    ///
    /// A status of any kind is a response here, not an error. To repeat a request, return advice from
    /// `retry(after:context:)` instead.
    func intercept(_ request: HTTPRequest, context: RequestContext, next: @escaping Next) async throws -> HTTPResponse

    /// Advises what to do after a failed attempt. Not called for a canceled call.
    ///
    /// Called after the last attempt too (`context.isLastAttempt`). The interceptor can then replace the error or
    /// replay a token, but the engine repeats nothing else.
    func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision

    /// The place of `adapt` and `intercept` in a call. The default is `.attempt`.
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

/// The advice of an interceptor after a failed attempt.
///
/// The engine counts attempts, waits and gives up. The first interceptor in the list that returns anything but
/// `doNotRetry` decides.
public enum RetryDecision: Sendable {
    /// No opinion; the engine asks the next interceptor.
    case doNotRetry
    /// Try again at once.
    case retry
    /// Try again after a pause. If the pause does not fit into the time left, the call fails at once.
    case retryAfter(Duration)
    /// Give up with this error.
    case fail(any Error)
}

/// An interceptor with the stage `.exchange`, unless it declares another one: its hooks run for every exchange, below
/// redirects, instead of once per attempt.
///
/// ```swift
/// struct Hops: ExchangeInterceptor {
///     func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
///         print(request.url)                      // the requested address, then each redirect
///         return request
///     }
/// }
/// ```
/// A change by `adapt` applies to one exchange only: the next hop starts from the request before the change.
/// `intercept` calls `next` at most once, because the engine would not count a second exchange.
public protocol ExchangeInterceptor: RequestInterceptor {}

extension ExchangeInterceptor {
    public var stage: InterceptorStage { .exchange }
}

/// The `intercept` hook of an interceptor that spells out the type of `next`, for modules with
/// `NonisolatedNonsendingByDefault`.
///
/// Only `RequestInterceptor` conforms to this protocol, and no code needs to name it. In such a module `@Sendable
/// (HTTPRequest) async throws -> HTTPResponse` is another type than `Next`. Without this requirement the hook would
/// compile and never be called.
@_documentation(visibility: internal)
public protocol RequestInterceptorDeclaration: Sendable {
    /// Wraps the rest of the chain, as the hook of `RequestInterceptor` does.
    @_disfavoredOverload
    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: nonisolated(nonsending) @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse
}

extension RequestInterceptorDeclaration {
    /// Continues with the rest of the chain.
    @_disfavoredOverload
    public func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: nonisolated(nonsending) @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        try await next(request)
    }

    /// Calls the hook that this protocol requires.
    fileprivate func interceptAsDeclared(
        _ request: HTTPRequest,
        _ context: RequestContext,
        _ next: @escaping @Sendable @concurrent (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        try await intercept(request, context: context, next: next)
    }
}
