public import Foundation

/// Stops asking a host that keeps failing, for a while, and then lets one request find out whether it is back.
///
/// ```swift
/// let breaker = CircuitBreaker(failureRatio: 0.5, minimumCalls: 20, window: .seconds(30), breakTime: .seconds(5))
/// let provider = NetworkProvider<UserAPI>(interceptors: [RetryPolicy(), breaker])
/// ```
/// A failure is a status of 500 and more, a lost or refused connection or a timeout; 4xx are answers, 429 too, and what was
/// cancelled, or timed out in a queue before the host was asked, says nothing. Requests that find it open fail at once with an error of kind `.limit`, whose `underlying` is a
/// `CircuitOpen`, and a `RetryPolicy` does not repeat them. Stands inside of that: each attempt counts. Copies share what
/// they know; each host has a circuit of its own.
public struct CircuitBreaker: RequestInterceptor {
    private let limits: CircuitStateMachine.Limits
    private let timebase: Timebase
    private let onChange: (@Sendable (_ host: String, CircuitState) -> Void)?
    private let circuits = Locked<[String: CircuitStateMachine]>([:])

    /// - Parameters:
    ///   - failureRatio: the part of calls within `window` that must fail for a host to be left alone.
    ///   - minimumCalls: how many calls there must be within `window` before that is judged.
    ///   - probeTime: how long the one request has that finds out, before another may.
    ///   - onChange: told of each change, in no particular order when there are many at once.
    public init(
        failureRatio: Double = 0.5,
        minimumCalls: Int = 20,
        window: Duration = .seconds(30),
        breakTime: Duration = .seconds(5),
        probeTime: Duration = .seconds(30),
        clock: any Clock<Duration> = ContinuousClock(),
        onChange: (@Sendable (_ host: String, CircuitState) -> Void)? = nil
    ) {
        var limits = CircuitStateMachine.Limits()
        limits.failureRatio = failureRatio
        limits.minimumCalls = minimumCalls
        limits.window = window.bounded
        limits.breakTime = breakTime.bounded
        limits.probeTime = probeTime.bounded
        self.limits = limits
        self.onChange = onChange
        timebase = .reading(clock)
    }

    public var mayWait: Bool { false }

    /// Whether the host of an address is asked.
    public func state(for url: URL) -> CircuitState {
        let host = url.origin.text
        return circuits.withLock { $0[host]?.state } ?? .closed
    }

    /// Stops asking the host of an address until `reset(_:)`.
    public func isolate(_ url: URL) { change(url.origin.text) { $0.isolate() } }

    /// Asks the host of an address again, and forgets what has been.
    public func reset(_ url: URL) { change(url.origin.text) { $0.reset() } }

    public func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        let host = request.url.origin.text
        let now = timebase.now
        let permit: CircuitStateMachine.Permit
        do throws(CircuitOpen) {
            permit = try change(host) { $0.enter(at: now) }.get()
        } catch {
            let reason = "the host fails too often and is not asked for now"
            throw NetworkError(kind: .limit, reason: reason, request: request, underlying: error)
        }
        do {
            let response = try await next(request)
            leave(
                host, permit, context.hasSharedExchange ? .cancelled : response.statusCode >= 500 ? .failure : .success)
            return response
        } catch {
            leave(host, permit, context.hasSharedExchange ? .cancelled : Self.outcome(of: error))
            throw error
        }
    }

    private func leave(_ host: String, _ permit: CircuitStateMachine.Permit, _ outcome: CircuitStateMachine.Outcome) {
        let now = timebase.now
        change(host) { $0.left(permit, outcome, at: now) }
    }

    private static func outcome(of error: any Error) -> CircuitStateMachine.Outcome {
        guard !Task.isCancelled, let error = error as? NetworkError, !error.isTimeoutInQueue else { return .cancelled }
        switch error.kind {
        case .connection, .timeout, .tls, .protocolViolation: return .failure
        // Whatever else there is, it is not the host's.
        default: return .cancelled
        }
    }

    @discardableResult
    private func change<Result>(_ host: String, _ body: (inout CircuitStateMachine) -> Result) -> Result {
        let (result, change) = circuits.withLock { circuits -> (Result, CircuitState?) in
            if circuits.count >= 64, circuits[host] == nil {
                let now = timebase.now
                circuits = circuits.filter { !$0.value.isIdle(at: now) }
            }
            // In place: a copy would take the counters with it.
            return Self.change(&circuits[host, default: CircuitStateMachine(limits)], body)
        }
        if let change { onChange?(host, change) }
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
