/// An interceptor without an `adapt` hook. The chain does not call the hook.
///
/// The compiler rejects a conforming type that implements `adapt`: the hook's return type would become `Adapted`, and
/// it is not a `MissingHook`.
package protocol NonAdaptingInterceptor: RequestInterceptor, AdaptHookDeclaration where Adapted: MissingHook {}

/// An interceptor without an `intercept` hook. The chain skips it without creating a closure for `next`.
///
/// The compiler rejects a conforming type that implements `intercept`, as for `NonAdaptingInterceptor`.
package protocol NonInterceptingInterceptor: RequestInterceptor, InterceptHookDeclaration
where Intercepted: MissingHook {}

/// An interceptor that marks the secrets that its `adapt` adds to a request. The chain does not search for them.
package protocol SecretMarkingInterceptor: RequestInterceptor {}

/// An interceptor that serves one user after another, and must not continue one user's call as another user.
package protocol SessionInterceptor: RequestInterceptor {
    /// Records the session of a call that starts.
    func callBegins(_ storage: CallStorage)

    /// Returns an error for a request that belongs to an ended session; `nil` if it may be sent.
    func refusal(of request: HTTPRequest, _ storage: CallStorage) -> NetworkError?

    /// Called when a request is about to be sent: the end of its session waits for `departureEnded(_:)`, unless this
    /// returns an error.
    func departureBegins(_ request: HTTPRequest, _ storage: CallStorage) -> NetworkError?

    /// Called when the server has received the request of a started departure, or will never receive it.
    func departureEnded(_ storage: CallStorage)

    /// Whether the session of an earlier call has ended. The first sign-in ends no session.
    func hasEnded(_ storage: CallStorage) -> Bool

    /// Whether a call that starts now belongs to the same user as an earlier one.
    func isOfSameUser(as storage: CallStorage) -> Bool
}

extension SessionInterceptor {
    package func departureBegins(_ request: HTTPRequest, _ storage: CallStorage) -> NetworkError? {
        refusal(of: request, storage)
    }

    package func departureEnded(_ storage: CallStorage) {}
}

/// The departure of a call's requests, controlled by its sessions.
package struct SessionDeparture: Departure {
    private let sessions: [any SessionInterceptor]
    private let storage: CallStorage

    init(sessions: [any SessionInterceptor], storage: CallStorage) {
        self.sessions = sessions
        self.storage = storage
    }

    package func refusal(of request: HTTPRequest) -> NetworkError? {
        sessions.lazy.compactMap { $0.refusal(of: request, storage) }.first
    }

    package func begin(_ request: HTTPRequest) -> NetworkError? {
        for (index, session) in sessions.enumerated() {
            guard let error = session.departureBegins(request, storage) else { continue }
            for begun in sessions[..<index] { begun.departureEnded(storage) }
            return error
        }
        return nil
    }

    package func end() { for session in sessions { session.departureEnded(storage) } }
}

/// An interceptor that sets the number of attempts of a call.
protocol RepeatingInterceptor: RequestInterceptor {
    /// The maximum number of attempts, including the first.
    var limit: Int { get }
}

/// An interceptor with rules about the other interceptors in its list.
package protocol ComposedInterceptor: RequestInterceptor {
    static var compositionRules: [CompositionRule] { get }
}

/// A rule about the other interceptors in a list.
package enum CompositionRule: Sendable {
    /// A list can contain only one interceptor of this kind.
    case unique
    /// A list cannot contain both kinds.
    case excludes(any RequestInterceptor.Type, because: String)
    /// The interceptor must come after all interceptors of the other kind.
    case follows(any RequestInterceptor.Type, because: String)
}

/// The return type of a hook that does not exist.
package protocol MissingHook {}

private struct NoHook: MissingHook {}

/// The `adapt` hook with the return type that the compiler infers from the implementation.
package protocol AdaptHookDeclaration {
    associatedtype Adapted
    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> Adapted
}

/// The `intercept` hook with the return type that the compiler infers from the implementation.
package protocol InterceptHookDeclaration {
    associatedtype Intercepted
    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping RequestInterceptor.Next
    ) async throws -> Intercepted
}

extension NonAdaptingInterceptor {
    @_disfavoredOverload
    package func adapt(_ request: HTTPRequest, context: RequestContext) -> some MissingHook { NoHook() }
}

extension NonInterceptingInterceptor {
    @_disfavoredOverload
    package func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) -> some MissingHook { NoHook() }
}
