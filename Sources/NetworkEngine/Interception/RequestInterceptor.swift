/// A link of the chain between a call and the wire; implement the hooks that you need.
///
/// Links run in list order on the way out and in reverse order on the way back: for each link `adapt`, then `intercept`,
/// whose `next` is the following link. Every attempt starts again from the pristine request, so that signatures and tokens
/// are fresh and changes do not pile up.
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
/// Hooks run off the caller's actor. When the call is cancelled or its deadline passes, the task that runs them is
/// cancelled; a hook that waits should wait in a way that notices.
public protocol RequestInterceptor: RequestInterceptorDeclaration {
    /// The rest of the chain, down to the wire and back.
    typealias Next = @Sendable @concurrent (HTTPRequest) async throws -> HTTPResponse

    /// Changes the request before it goes further. What is thrown ends the attempt.
    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest

    /// Stands around the rest of the chain: may answer without it, race it, or look at what it brings.
    ///
    /// A status of any kind is a response here, not an error. Repeating is not done here but by advice from
    /// `retry(after:context:)`.
    func intercept(_ request: HTTPRequest, context: RequestContext, next: @escaping Next) async throws -> HTTPResponse

    /// Advises what to do after an attempt failed. Not asked about a cancelled call.
    ///
    /// Asked after the last attempt too (`context.isLastAttempt`), when an error can still be replaced and a token
    /// replayed, but nothing else is repeated.
    func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision

    /// Whether a hook may wait, beyond the call's deadline, for anything but `next`: a network call, a timer, a person.
    ///
    /// `true` unless you say otherwise. A call under a deadline runs in a task of its own, so that it can be ended while a
    /// hook waits; where no hook ever does, the call is spared that task and costs half as much.
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

    public var mayWait: Bool { true }
}

/// The hook of an interceptor whose author writes out the type of `next`, in a module with `NonisolatedNonsendingByDefault`.
///
/// Nothing conforms to this protocol but `RequestInterceptor`, and no code needs to name it. In such a module
/// `@Sendable (HTTPRequest) async throws -> HTTPResponse` is another type than `Next`. Without this requirement the hook
/// would compile and never be called.
public protocol RequestInterceptorDeclaration: Sendable {
    @_disfavoredOverload
    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: nonisolated(nonsending) @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse
}

extension RequestInterceptorDeclaration {
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
