public import NetworkEngine

/// Responses that depend on a named state that requests can change.
///
/// ```swift
/// enum Session { case out, `in` }
/// let session = LoopbackScenario(
///     Session.out,
///     .init(in: .out, .post, "/login", then: .in) { _ in .json(#"{"token": "a"}"#) },
///     .init(in: .in, .get, "/me") { _ in .json(#"{"name": "Ada"}"#) }
/// )
/// let server = try LoopbackServer(handler: session.response)
/// ```
public final class LoopbackScenario<State: Hashable & Sendable>: Sendable {
    /// A response to requests in a state.
    public struct Rule: Sendable {
        let state: State?
        let method: HTTPMethod?
        let path: String?
        let next: State?
        let response: @Sendable (LoopbackRequest) -> LoopbackResponse

        /// Creates a rule for a state, a method and a path. Omitted parts match anything.
        public init(
            in state: State? = nil,
            _ method: HTTPMethod? = nil,
            _ path: String? = nil,
            then next: State? = nil,
            _ response: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse
        ) {
            self.state = state
            self.method = method
            self.path = path
            self.next = next
            self.response = response
        }
    }

    private let rules: [Rule]
    private let current: Locked<State>

    /// Creates a scenario with its initial state. The first matching rule responds to a request.
    public init(_ start: State, _ rules: Rule...) {
        current = Locked(start)
        self.rules = rules
    }

    /// The current state.
    public var state: State { current.withLock { $0 } }

    /// Returns the first matching rule's response, or a 409 that includes the state if no rule matches.
    public func response(to request: LoopbackRequest) -> LoopbackResponse {
        let (rule, state) = current.withLock { state -> (Rule?, State) in
            let before = state
            let rule = rules.first { rule in
                rule.state ?? state == state && rule.method ?? request.method == request.method
                    && rule.path ?? request.path == request.path
            }
            if let next = rule?.next { state = next }
            return (rule, before)
        }
        guard let rule else {
            return .text("No rule for \(request.method) \(request.path) in state \(state).\n", status: 409)
        }
        return rule.response(request)
    }
}
