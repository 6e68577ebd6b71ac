public import NetworkEngine

/// The state of a circuit.
public enum CircuitState: String, Hashable, Sendable {
    /// Requests are sent, and their outcomes are counted.
    case closed
    /// Requests are rejected for some time.
    case open
    /// A single request tests whether the host has recovered.
    case halfOpen
    /// Requests are rejected until the circuit is reset.
    case isolated
}

extension CircuitState {
    /// Orders states by how many requests they reject.
    var strictness: Int {
        switch self {
        case .closed: 0
        case .halfOpen: 1
        case .open: 2
        case .isolated: 3
        }
    }
}

/// A request was rejected because similar requests failed too often; the `underlying` of a `.limit` error.
///
/// Its text for users is that the service is currently unavailable.
public struct CircuitOpen: Error, Hashable, Sendable, ServiceUnavailability, RefusalForAPause {
    /// The time until the circuit allows a request; `nil` if it is open until a reset.
    public let retryAfter: Duration?

    /// Creates the error, for example for a mock.
    public init(retryAfter: Duration?) { self.retryAfter = retryAfter }
}

/// Decides whether requests to a host are allowed, from the results of recent calls; a pure value.
package struct CircuitStateMachine: Sendable {
    struct Limits: Sendable {
        var failureRatio = 0.5
        var minimumCalls = 20
        var consecutiveFailures = 20
        var window: Duration = .seconds(30)
        var breakTime: Duration = .seconds(5)
        var probeTime: Duration = .seconds(30)

        init() {}
    }

    /// Permission for a call. The call's outcome counts only if the circuit has not changed since.
    package struct Permit: Hashable, Sendable {
        let generation: Int
        let isProbe: Bool
    }

    enum Outcome: Sendable, CaseIterable {
        case success, failure
        /// The outcome is unrelated to the host.
        case cancelled
    }

    private enum Phase: Sendable {
        case closed
        case open(until: Duration)
        /// One call tests the host. If it does not end by the given time, another call is allowed.
        case halfOpen(probeUntil: Duration?)
        case isolated
    }

    private let limits: Limits
    private var phase = Phase.closed
    private var generation = 0
    /// The number of failures since the last success, and the time of the first one.
    private var failuresInRow = 0
    private var rowStart = Duration.zero
    private var window: SlidingWindow

    init(_ limits: Limits = Limits()) {
        self.limits = limits
        window = SlidingWindow(limits.window)
    }

    var state: CircuitState {
        switch phase {
        case .closed: .closed
        case .open: .open
        case .halfOpen: .halfOpen
        case .isolated: .isolated
        }
    }

    /// Whether the circuit can be discarded: it has no recent calls, or its last change was long ago.
    func isIdle(at now: Duration) -> Bool {
        switch phase {
        case .closed: window.counts(at: now).calls == 0
        case .open(let end): now >= end + limits.window
        case .halfOpen(let end): end.map { now >= $0 + limits.window } ?? false
        case .isolated: false
        }
    }

    /// Requests permission for a call.
    mutating func enter(at now: Duration) -> Result<Permit, CircuitOpen> {
        switch phase {
        case .closed: return .success(Permit(generation: generation, isProbe: false))
        case .isolated: return .failure(CircuitOpen(retryAfter: nil))
        case .open(let end) where now < end: return .failure(CircuitOpen(retryAfter: end - now))
        case .halfOpen(let end?) where now < end: return .failure(CircuitOpen(retryAfter: end - now))
        case .open, .halfOpen:
            generation += 1
            phase = .halfOpen(probeUntil: now + limits.probeTime)
            return .success(Permit(generation: generation, isProbe: true))
        }
    }

    /// Records a call's outcome.
    mutating func left(_ permit: Permit, _ outcome: Outcome, at now: Duration) {
        guard permit.generation == generation else { return }
        switch (phase, outcome) {
        case (.closed, .cancelled), (.open, _), (.isolated, _): break
        case (.closed, _):
            window.add(isFailure: outcome == .failure, at: now)
            if outcome == .failure, failuresInRow == 0 { rowStart = now }
            failuresInRow = outcome == .failure ? failuresInRow + 1 : 0
            if outcome == .failure, isBroken(at: now) { change(to: .open(until: now + limits.breakTime)) }
        case (.halfOpen, .cancelled): phase = .halfOpen(probeUntil: nil)
        case (.halfOpen, .success): change(to: .closed)
        case (.halfOpen, .failure): change(to: .open(until: now + limits.breakTime))
        }
    }

    /// Whether too many recent calls failed, or all of the last ones.
    private func isBroken(at now: Duration) -> Bool {
        let (calls, failures) = window.counts(at: now)
        guard calls >= limits.minimumCalls else { return false }
        // Successes before an outage fill the window for a long time. If one lost connection fails many requests at the
        // same time, this is not an outage.
        let isOutage =
            min(failures, failuresInRow) >= max(1, limits.consecutiveFailures)
            && now - rowStart >= min(.milliseconds(500), limits.window / 10)
        return isOutage || Double(failures) >= limits.failureRatio * Double(calls)
    }

    /// Opens the circuit until `reset()`.
    mutating func isolate() { change(to: .isolated) }

    /// Closes the circuit and clears the counters.
    mutating func reset() { change(to: .closed) }

    private mutating func change(to new: Phase) {
        phase = new
        generation += 1
        failuresInRow = 0
        window = SlidingWindow(limits.window)
    }
}

/// Counts the calls and failures of a time window in ten slices.
private struct SlidingWindow: Sendable {
    private struct Slice {
        var number = Int64.min
        var calls = 0
        var failures = 0
    }

    private let length: Duration
    /// The slice of the last call, which usually is the slice of the next call too. This avoids a slow division.
    private var last = (start: Duration.zero, end: Duration.zero, number: Int64(0))
    private var slices = Array(repeating: Slice(), count: 10)

    init(_ window: Duration) { length = max(.milliseconds(1), window) / 10 }

    mutating func add(isFailure: Bool, at now: Duration) {
        if now < last.start || now >= last.end {
            let number = number(of: now)
            last = (length * number, length * (number + 1), number)
        }
        let index = Int(last.number % 10)
        if slices[index].number != last.number { slices[index] = Slice(number: last.number) }
        slices[index].calls += 1
        if isFailure { slices[index].failures += 1 }
    }

    func counts(at now: Duration) -> (calls: Int, failures: Int) {
        let current = number(of: now)
        return slices.reduce(into: (0, 0)) { sum, slice in
            guard slice.number > current - 10 else { return }
            sum.0 += slice.calls
            sum.1 += slice.failures
        }
    }

    private func number(of time: Duration) -> Int64 { Int64(max(.zero, time) / length) }
}
