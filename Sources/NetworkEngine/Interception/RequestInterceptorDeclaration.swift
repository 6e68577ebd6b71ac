#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// Methods that are easily mistaken for an interceptor's hooks.
///
/// Only `RequestInterceptor` refines this protocol. An interceptor's hooks have defaults, so without the requirements
/// below a hook with other parameters would compile and never be called. The first requirement is called. Each of the
/// others has an associated type, which Swift infers from the declaration. `RequestInterceptor` accepts only the type
/// that the default implementation has, so a declared method fails to compile, with that type's message.
@_documentation(visibility: internal)
public protocol RequestInterceptorDeclaration: Sendable {
    /// Wraps the rest of the chain, like the hook of `RequestInterceptor`.
    ///
    /// In modules with `NonisolatedNonsendingByDefault`, `@Sendable (HTTPRequest) async throws -> HTTPResponse` is a
    /// different type than `Next`. An interceptor there can spell out the type of `next`.
    @_disfavoredOverload
    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: nonisolated(nonsending) @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse

    /// The result of `adapt` without a context.
    associatedtype AdaptedWithoutContext
    func adapt(_ request: HTTPRequest) async throws -> AdaptedWithoutContext

    /// The result of `adapt` for a `URLRequest`.
    associatedtype AdaptedURLRequest
    func adapt(_ request: URLRequest, context: RequestContext) async throws -> AdaptedURLRequest

    /// The request of `adapt` with a completion.
    associatedtype CompletedRequest: Sendable
    associatedtype CompletionOfRequest
    associatedtype ResultOfCompletion
    func adapt(_ request: CompletedRequest, completion: CompletionOfRequest) async throws -> ResultOfCompletion

    /// The request of Alamofire's `adapt`.
    associatedtype SessionRequest: Sendable
    associatedtype SessionOfRequest: Sendable
    associatedtype CompletionInSession
    associatedtype ResultInSession
    func adapt(
        _ request: SessionRequest,
        for session: SessionOfRequest,
        completion: CompletionInSession
    ) async throws -> ResultInSession

    /// The result of `intercept` without a context.
    associatedtype InterceptedWithoutContext
    associatedtype NextWithoutContext
    func intercept(_ request: HTTPRequest, next: NextWithoutContext) async throws -> InterceptedWithoutContext

    /// The advice of `retry` without a context.
    associatedtype AdviceWithoutContext
    associatedtype FailureWithoutContext: Sendable
    func retry(after error: FailureWithoutContext) async throws -> AdviceWithoutContext

    /// The advice of `retry` for any error.
    associatedtype AdviceAfterAnyError
    func retry(after error: any Error, context: RequestContext) async throws -> AdviceAfterAnyError

    /// The request of Alamofire's `retry`.
    associatedtype SessionFailure: Sendable
    associatedtype SessionOfFailure: Sendable
    associatedtype CauseInSession
    associatedtype AdviceInSession
    associatedtype AdvisedInSession
    func retry(
        _ request: SessionFailure,
        for session: SessionOfFailure,
        dueTo error: CauseInSession,
        completion: AdviceInSession
    ) async throws -> AdvisedInSession

    /// The error that `retry` throws.
    associatedtype AdviceFailure: Error
    associatedtype Advice
    func retry(after error: NetworkError, context: RequestContext) async throws(AdviceFailure) -> Advice
}

/// The type of a hook if the interceptor does not declare the hook.
@_documentation(visibility: internal)
public protocol NoSuchHook {}

/// The types of undeclared hooks.
@_documentation(visibility: internal)
public struct UndeclaredHook: Sendable, NoSuchHook {
    fileprivate init() {}
}

@available(
    *, unavailable,
    message: """
        This hook would never be called. Declare \
        'func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest'.
        """
)
extension HTTPRequest: NoSuchHook {}

@available(
    *, unavailable,
    message: """
        This hook would never be called. Declare \
        'func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest'.
        """
)
extension URLRequest: NoSuchHook {}

@available(
    *, unavailable,
    message: """
        This hook would never be called. Declare 'func intercept(_ request: HTTPRequest, context: RequestContext, \
        next: @escaping Next) async throws -> HTTPResponse'.
        """
)
extension HTTPResponse: NoSuchHook {}

/// The error type of a `retry` hook that does not throw. A throwing one would never be called.
@_documentation(visibility: internal)
public protocol RetryDoesNotThrow {}
extension Never: RetryDoesNotThrow {}

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
    func interceptAsDeclared(
        _ request: HTTPRequest,
        _ context: RequestContext,
        _ next: @escaping @Sendable @concurrent (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        try await intercept(request, context: context, next: next)
    }
}

/// The methods of interceptors that don't declare them. They are never called.
extension RequestInterceptorDeclaration {
    @_disfavoredOverload
    public func adapt(_ request: HTTPRequest) -> UndeclaredHook { UndeclaredHook() }

    @_disfavoredOverload
    public func adapt(_ request: URLRequest, context: RequestContext) -> UndeclaredHook { UndeclaredHook() }

    @_disfavoredOverload
    public func adapt(_ request: UndeclaredHook, completion: UndeclaredHook) -> UndeclaredHook { request }

    @_disfavoredOverload
    public func adapt(
        _ request: UndeclaredHook,
        for session: UndeclaredHook,
        completion: UndeclaredHook
    ) -> UndeclaredHook { request }

    @_disfavoredOverload
    public func intercept(_ request: HTTPRequest, next: UndeclaredHook) -> UndeclaredHook { next }

    @_disfavoredOverload
    public func retry(after error: UndeclaredHook) -> UndeclaredHook { error }

    @_disfavoredOverload
    public func retry(after error: any Error, context: RequestContext) -> UndeclaredHook { UndeclaredHook() }

    @_disfavoredOverload
    public func retry(
        _ request: UndeclaredHook,
        for session: UndeclaredHook,
        dueTo error: UndeclaredHook,
        completion: UndeclaredHook
    ) -> UndeclaredHook { request }
}
