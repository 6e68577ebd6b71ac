import NetworkEngine

/// A clock that advances only when a test moves it.
///
/// ```swift
/// let clock = TestClock()
/// configuration.clock = clock
/// let call = Task { try await provider.send(.user(7)) }
/// await clock.untilSleeping()                  // the engine waits before its second attempt
/// clock.advance(by: .seconds(1))
/// ```
/// A task sleeps until an absolute time. If the clock has already passed that time, the task returns immediately, so a
/// test and the tested code cannot race. Sleepers are resumed in order of their deadlines, but their executors decide
/// when they run. Step a loop that sleeps repeatedly with `advanceToNextSleeper()`, once for each iteration.
public final class TestClock: Clock, Sendable {
    /// The standard library's duration.
    public typealias Duration = Swift.Duration

    /// An instant on a test clock, as the time since its start.
    public struct Instant: InstantProtocol {
        /// The time since the start of the clock.
        public var offset: Duration

        /// Creates an instant; by default the start of the clock.
        public init(offset: Duration = .zero) { self.offset = offset }

        /// Returns the instant that is later by the given duration.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// Returns the time from this instant to another one; negative if the other one is earlier.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
    }

    private typealias Queue = SleeperQueue<CheckedContinuation<Void, any Error>, CheckedContinuation<Void, Never>>

    private let state = Locked(Queue())

    /// Creates a clock at its start.
    public init() {}

    /// The current time, which changes only when a test moves the clock.
    public var now: Instant { Instant(offset: state.withLock { $0.now }) }
    /// Zero: a sleeper is due exactly at its deadline.
    public var minimumResolution: Duration { .zero }

    /// The deadlines of the current sleepers, earliest first.
    public var pendingSleepers: [Instant] {
        state.withLock { $0.deadlines }.map(Instant.init(offset:))
    }

    /// Sleeps until the clock reaches the given time.
    ///
    /// Throws `CancellationError` as soon as the task is canceled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let ticket = state.withLock { $0.ticket(until: deadline.offset) }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { $0.add(ticket, continuation) }
                if outcome.isDue { continuation.resume() }
                for waiter in outcome.satisfied { waiter.resume() }
                // If the task was canceled before the sleeper was added, nothing was resumed.
                if Task.isCancelled { cancel(ticket) }
            }
        } onCancel: {
            cancel(ticket)
        }
    }

    /// Moves the clock and resumes the sleepers that become due, ordered by deadline, then by arrival.
    ///
    /// Concurrent calls add up.
    public func advance(by duration: Duration) {
        wake(until: state.withLock { $0.goal(after: duration) })
    }

    /// Moves the clock to a time. A time in the past has no effect.
    public func advance(to instant: Instant) {
        wake(until: state.withLock { $0.goal(at: instant.offset) })
    }

    /// Waits for a sleeper and moves the clock to the earliest deadline.
    ///
    /// - Parameter window: Waits for a sleeper that is due within this time from now, so that a long timeout in the
    ///   background is not mistaken for the short pause under test.
    /// - Returns: How far the clock was moved.
    @discardableResult
    public func advanceToNextSleeper(within window: Duration? = nil) async -> Duration {
        while !Task.isCancelled {
            await untilSleeping(within: window)
            let (start, goal) = state.withLock { ($0.now, $0.goalAtNext(within: window)) }
            // The sleeper may have been canceled in the meantime.
            guard let goal else { continue }
            wake(until: goal)
            return goal - start
        }
        return .zero
    }

    /// Resumes all sleepers in order, and leaves the clock at the last deadline.
    public func run() {
        while let goal = state.withLock({ $0.goalAtNext() }) { wake(until: goal) }
    }

    /// Waits until a number of tasks sleep on this clock. Returns early only when the waiting task is canceled.
    ///
    /// - Parameter window: Counts only sleepers that are due within this time from now, so that a long timeout in the
    ///   background is not mistaken for the short pause under test.
    public func untilSleeping(atLeast count: Int = 1, within window: Duration? = nil) async {
        let number = state.withLock { $0.nextNumber() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isSatisfied = state.withLock { state in
                    let limit = window.map { state.now + $0 }
                    return state.wait(number, for: count, dueBy: limit, continuation)
                }
                if isSatisfied { continuation.resume() }
                if Task.isCancelled { stopWaiting(number) }
            }
        } onCancel: {
            stopWaiting(number)
        }
    }

    /// Throws when a task still sleeps. Call it at the end of a test.
    public func checkIsIdle() throws(SleepersLeft) {
        let (now, deadlines) = state.withLock { ($0.now, $0.deadlines) }
        if !deadlines.isEmpty { throw SleepersLeft(now: now, deadlines: deadlines) }
    }

    private func wake(until goal: Duration) {
        while let sleeper = state.withLock({ $0.next(until: goal) }) { sleeper.resume() }
    }

    private func cancel(_ ticket: Queue.Ticket) {
        let sleeper = state.withLock { $0.remove(ticket) }
        sleeper?.resume(throwing: CancellationError())
    }

    private func stopWaiting(_ number: Int) {
        let waiter = state.withLock { $0.removeWaiter(number) }
        waiter?.resume()
    }
}

/// Tasks still sleep on a test clock at the end of a test.
public struct SleepersLeft: Error, Equatable, CustomStringConvertible {
    /// The clock's time since its start.
    public let now: Duration
    /// The deadlines of the sleepers, earliest first.
    public let deadlines: [Duration]

    public var description: String {
        let what = deadlines.count == 1 ? "1 sleeper is" : "\(deadlines.count) sleepers are"
        let times = deadlines.prefix(5).map { "\($0)" }.joined(separator: ", ")
        let more = deadlines.count > 5 ? ", …" : ""
        return "\(what) left on the test clock at \(now), due at \(times)\(more)"
    }
}
