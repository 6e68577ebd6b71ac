public import Foundation
public import NetworkEngine

/// Rejects requests that keep failing, then sends a single request to test whether the server has recovered.
///
/// ```swift
/// let breaker = CircuitBreaker(failureRatio: 0.5, minimumCalls: 20, window: .seconds(30), breakTime: .seconds(5))
/// let provider = NetworkProvider<UserAPI>(interceptors: [RetryPolicy(), breaker])
/// ```
/// A status of 500 or more, a lost or refused connection, and a timeout count as failures. A 4xx status, including 429,
/// counts as a success. Canceled requests do not count, and neither does a deadline that passes in a queue, or after
/// the request spent more time in queues than it left the server. The circuit opens when `failureRatio` of the calls
/// within `window` have failed, and sooner when the last `consecutiveFailures` calls have all failed. While the circuit
/// is open, a request fails immediately with a `.limit` error and a `CircuitOpen` as `underlying`. A `RetryPolicy` does
/// not retry such a request. Place the breaker after the policy, so that it counts attempts.
///
/// Each path template of an origin has a separate circuit, so a failing endpoint does not block the others. Calls
/// without a template share one circuit for each origin, because values cannot be distinguished from names in their
/// paths. Copies share their circuits.
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
    ///   - minimumCalls: the number of calls within `window` required to open the circuit.
    ///   - consecutiveFailures: the number of consecutive failures within `window` that opens the circuit whatever
    ///     happened before.
    ///   - breakTime: how long an open circuit rejects requests.
    ///   - probeTime: how long the test request may take before another one is allowed.
    ///   - onChange: called for each state change, with the origin and the template, such as
    ///     `https://api.example.com/users/{}`. The order of simultaneous changes is undefined.
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

    /// Returns the state of the template's circuit for a URL's origin, or without a template the state of the origin's
    /// strictest circuit.
    public func state(for url: URL, template: String? = nil) -> CircuitState {
        let origin = url.origin.text
        return circuits.withLock { circuits in
            // An isolated origin rejects the calls of every template.
            if circuits[Scope(origin: origin)]?.state == .isolated { return .isolated }
            let states = circuits.filter { $0.key.origin == origin && Self.matches($0.key.template, template) }.values
            return states.map(\.state).max { $0.strictness < $1.strictness } ?? .closed
        }
    }

    private static func matches(_ known: String?, _ asked: String?) -> Bool { asked == nil || known == asked }

    /// Rejects all requests to a URL's origin until `reset(_:)`.
    public func isolate(_ url: URL) { change(Scope(origin: url.origin.text)) { $0.isolate() } }

    /// Closes all circuits for a URL's origin and clears their counters.
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
            // Such a response provides no new information about the host.
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

    /// - Parameter before: how the call's time was spent before this attempt.
    private static func outcome(of error: any Error, since before: TimeSpent?) -> CircuitStateMachine.Outcome {
        guard let error = error as? NetworkError, !error.isTimeoutInQueue else { return .cancelled }
        // Only the time that the server had counts.
        if let spent = error.figures.timeSpent, spent.since(before ?? TimeSpent()).isMostlyQueued { return .cancelled }
        // A deadline that passes during the exchange cancels it. Any other cancellation is the caller's.
        if Task.isCancelled, error.transportFailure != .timeout(.deadline) { return .cancelled }
        switch error.kind {
        case .connection, .timeout, .tls, .protocolViolation: return .failure
        // Other errors are unrelated to the host.
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
