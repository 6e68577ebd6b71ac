public import Foundation
public import NetworkEngine

/// Rejects requests of a kind that keeps failing, then sends a single request to test whether the server has recovered.
///
/// ```swift
/// let breaker = CircuitBreaker(failureRatio: 0.5, minimumCalls: 20, window: .seconds(30), breakTime: .seconds(5))
/// let provider = NetworkProvider<UserAPI>(interceptors: [RetryPolicy(), breaker])
/// ```
/// A status of 500 or more, a lost or refused connection, and a timeout count as failures. A 4xx status, including 429,
/// counts as a success. Canceled requests do not count, and a deadline does not count if it passes in a queue, or if
/// the request spent more time in queues than the server had for it. The circuit opens when `failureRatio` of the calls
/// within `window` failed, and sooner when the last `consecutiveFailures` calls all failed. While the circuit is
/// open, a request fails at once with an error of kind `.limit` and a `CircuitOpen` as `underlying`. A `RetryPolicy`
/// does not repeat such a request. Place the breaker behind the policy, so that it counts attempts.
///
/// Each template of each origin has a circuit, so that an endpoint that fails does not close the others. Calls without
/// a template share one circuit for each origin, because their paths do not tell values from names. Copies share their
/// circuits.
public struct CircuitBreaker: RequestInterceptor, NonAdaptingInterceptor, ComposedInterceptor {
    private let limits: CircuitStateMachine.Limits
    private let timebase: Timebase
    private let onChange: (@Sendable (_ host: String, CircuitState) -> Void)?
    private let circuits = Locked<[Scope: CircuitStateMachine]>([:])

    /// The requests that share a circuit.
    private struct Scope: Hashable {
        let origin: String
        /// `nil` for all calls without a template.
        var template: String?

        var text: String { origin + (template ?? "") }
    }

    /// - Parameters:
    ///   - failureRatio: the share of failed calls within `window` that opens the circuit.
    ///   - minimumCalls: the number of calls within `window` that is needed to open the circuit.
    ///   - consecutiveFailures: the number of failures within `window`, without a success between them, that opens the
    ///     circuit whatever came before.
    ///   - breakTime: the time that an open circuit rejects requests.
    ///   - probeTime: the time that the test request has before another one is allowed.
    ///   - onChange: called for each change of state, with the origin and the template, such as
    ///     `https://api.example.com/users/{}`. The order of simultaneous changes is not defined.
    public init(
        failureRatio: Double = 0.5,
        minimumCalls: Int = 20,
        consecutiveFailures: Int = 20,
        window: Duration = .seconds(30),
        breakTime: Duration = .seconds(5),
        probeTime: Duration = .seconds(30),
        clock: any Clock<Duration> = ContinuousClock(),
        onChange: (@Sendable (_ host: String, CircuitState) -> Void)? = nil
    ) {
        var limits = CircuitStateMachine.Limits()
        limits.failureRatio = failureRatio
        limits.minimumCalls = minimumCalls
        limits.consecutiveFailures = consecutiveFailures
        limits.window = window.bounded
        limits.breakTime = breakTime.bounded
        limits.probeTime = probeTime.bounded
        self.limits = limits
        self.onChange = onChange
        timebase = .reading(clock)
    }

    package static let compositionRules: [CompositionRule] = [
        .unique,
        .follows(RetryPolicy.self, because: orderReason),
        .follows(DefaultInterceptor.self, because: orderReason),
    ]
    private static let orderReason = "a circuit breaker before a retry counts calls, not attempts"

    public var mayWait: Bool { false }

    /// Returns the state of the circuits for the origin of a URL: of the template's circuit, or of the one that lets
    /// the least through.
    public func state(for url: URL, template: String? = nil) -> CircuitState {
        let origin = url.origin.text
        return circuits.withLock { circuits in
            // An isolated origin refuses the calls of every template.
            if circuits[Scope(origin: origin)]?.state == .isolated { return .isolated }
            let states = circuits.filter { $0.key.origin == origin && Self.matches($0.key.template, template) }.values
            return states.map(\.state).max { $0.strictness < $1.strictness } ?? .closed
        }
    }

    private static func matches(_ known: String?, _ asked: String?) -> Bool { asked == nil || known == asked }

    /// Rejects all requests to the origin of a URL until `reset(_:)`.
    public func isolate(_ url: URL) { change(Scope(origin: url.origin.text)) { $0.isolate() } }

    /// Closes all circuits for the origin of a URL and clears their counters.
    public func reset(_ url: URL) {
        let origin = url.origin.text
        for scope in circuits.withLock({ $0.keys.filter { $0.origin == origin } }) { change(scope) { $0.reset() } }
    }

    public func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        let scope = Scope(origin: request.url.origin.text, template: context.target?.declaredTemplate)
        let now = timebase.now
        let permit: CircuitStateMachine.Permit
        do throws(CircuitOpen) {
            if isIsolated(scope.origin) { throw CircuitOpen(retryAfter: nil) }
            permit = try change(scope) { $0.enter(at: now) }.get()
        } catch {
            let reason = "calls of this kind failed too often; the circuit of \(scope.text) is open"
            throw NetworkError(kind: .limit, reason: reason, request: request, underlying: error)
        }
        let before = context.call.options.transport.deadline?.timeSpent
        do {
            let response = try await next(request)
            // Such a response says nothing more about the host.
            let isOld = context.hasSharedExchange || response.source == .cache
            leave(scope, permit, isOld ? .cancelled : response.statusCode >= 500 ? .failure : .success)
            return response
        } catch {
            leave(scope, permit, context.hasSharedExchange ? .cancelled : Self.outcome(of: error, since: before))
            throw error
        }
    }

    private func isIsolated(_ origin: String) -> Bool {
        circuits.withLock { $0[Scope(origin: origin)]?.state == .isolated }
    }

    private func leave(_ scope: Scope, _ permit: CircuitStateMachine.Permit, _ outcome: CircuitStateMachine.Outcome) {
        let now = timebase.now
        change(scope) { $0.left(permit, outcome, at: now) }
    }

    /// - Parameter before: where the call's time had gone before this attempt.
    private static func outcome(of error: any Error, since before: TimeSpent?) -> CircuitStateMachine.Outcome {
        guard let error = error as? NetworkError, !error.isTimeoutInQueue else { return .cancelled }
        // The server is judged by the time that it had.
        if let spent = error.figures.timeSpent, spent.since(before ?? TimeSpent()).isMostlyQueued { return .cancelled }
        // A deadline that passes during the exchange cancels it. Any other cancellation is the caller's.
        if Task.isCancelled, error.transportFailure != .timeout(.deadline) { return .cancelled }
        switch error.kind {
        case .connection, .timeout, .tls, .protocolViolation: return .failure
        // Other errors say nothing about the host.
        default: return .cancelled
        }
    }

    @discardableResult
    private func change<Result>(_ scope: Scope, _ body: (inout CircuitStateMachine) -> Result) -> Result {
        let (result, change) = circuits.withLock { circuits -> (Result, CircuitState?) in
            if circuits.count >= 64, circuits[scope] == nil {
                let now = timebase.now
                circuits = circuits.filter { !$0.value.isIdle(at: now) }
            }
            // Changed in place to avoid a copy of the counters.
            return Self.change(&circuits[scope, default: CircuitStateMachine(limits)], body)
        }
        if let change { onChange?(scope.text, change) }
        return result
    }

    private static func change<Result>(
        _ circuit: inout CircuitStateMachine,
        _ body: (inout CircuitStateMachine) -> Result
    ) -> (Result, CircuitState?) {
        let before = circuit.state
        let result = body(&circuit)
        return (result, circuit.state == before ? nil : circuit.state)
    }
}
