/// An interceptor without an `adapt` hook. The chain does not call the hook.
///
/// The compiler rejects a type that conforms and implements `adapt`: the hook's return type would become the type of
/// `Adapted`, and it is not a `MissingHook`.
package protocol NonAdaptingInterceptor: RequestInterceptor, AdaptHookDeclaration where Adapted: MissingHook {}

/// An interceptor without an `intercept` hook. The chain passes requests by it without a closure for `next`.
///
/// The compiler rejects a type that conforms and implements `intercept`, as for `NonAdaptingInterceptor`.
package protocol NonInterceptingInterceptor: RequestInterceptor, InterceptHookDeclaration
where Intercepted: MissingHook {}

/// An interceptor that marks the secrets it adds to a request in `adapt`. The chain does not search for them.
package protocol SecretMarkingInterceptor: RequestInterceptor {}

/// An interceptor that serves one user after another, and must not continue a call of one user as another.
package protocol SessionInterceptor: RequestInterceptor {
    /// Records the session in which a call begins.
    func callBegins(_ storage: CallStorage)

    /// Returns the error of a request that was made for a session that is over; `nil` if it may be sent.
    func refusal(of request: HTTPRequest, _ storage: CallStorage) -> NetworkError?

    /// A request leaves now: the end of its session waits for `departureEnded(_:)`, unless this returns an error.
    func departureBegins(_ request: HTTPRequest, _ storage: CallStorage) -> NetworkError?

    /// The server has the request of a departure that has begun, or never gets it.
    func departureEnded(_ storage: CallStorage)

    /// Whether the session in which an earlier call began is over. The first sign-in ends none.
    func hasEnded(_ storage: CallStorage) -> Bool

    /// Whether a call that begins now is of the same user as an earlier one.
    func isOfSameUser(as storage: CallStorage) -> Bool
}

extension SessionInterceptor {
    package func departureBegins(_ request: HTTPRequest, _ storage: CallStorage) -> NetworkError? {
        refusal(of: request, storage)
    }

    package func departureEnded(_ storage: CallStorage) {}
}

/// The departure of the requests of a call, as its sessions decide about them.
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

/// An interceptor that says how many attempts a call may have.
protocol RepeatingInterceptor: RequestInterceptor {
    /// The maximum number of attempts, including the first.
    var limit: Int { get }
}

/// An interceptor with rules about the other interceptors of its list.
package protocol ComposedInterceptor: RequestInterceptor {
    static var compositionRules: [CompositionRule] { get }
}

/// A rule about the other interceptors of a list.
package enum CompositionRule: Sendable {
    /// A list contains one interceptor of this kind.
    case unique
    /// A list does not contain both kinds.
    case excludes(any RequestInterceptor.Type, because: String)
    /// The interceptor comes after all interceptors of the other kind.
    case follows(any RequestInterceptor.Type, because: String)
}

/// The return type of a hook that does not exist.
package protocol MissingHook {}

private struct NoHook: MissingHook {}

/// The `adapt` hook with the return type that the compiler finds in the implementation.
package protocol AdaptHookDeclaration {
    associatedtype Adapted
    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> Adapted
}

/// The `intercept` hook with the return type that the compiler finds in the implementation.
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
