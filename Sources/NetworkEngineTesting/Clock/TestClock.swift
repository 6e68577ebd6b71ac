import NetworkEngine

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = TestClock()
/// configuration.clock = clock
/// let call = Task { try await provider.send(.user(7)) }
/// await clock.untilSleeping()                  // the engine waits before its second attempt
/// clock.advance(by: .seconds(1))
/// ```
/// Whoever sleeps, sleeps until an absolute time: a task that comes late to its sleep returns at once, so that it does
/// not matter whether it or the test is faster. Sleepers are woken in order, but run when their executors let them, which
/// is in no order (not even on the main actor). A loop that sleeps again and again is stepped with
/// `advanceToNextSleeper()`, once for each turn.
public final class TestClock: Clock, Sendable {
    public typealias Duration = Swift.Duration

    /// A moment on a test clock, as the time since its start.
    public struct Instant: InstantProtocol {
        public var offset: Duration

        public init(offset: Duration = .zero) { self.offset = offset }

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
    }

    private typealias Queue = SleeperQueue<CheckedContinuation<Void, any Error>, CheckedContinuation<Void, Never>>

    private let state = Locked(Queue())

    public init() {}

    public var now: Instant { Instant(offset: state.withLock { $0.now }) }
    public var minimumResolution: Duration { .zero }

    /// The times at which those who sleep now are due, earliest first.
    public var pendingSleepers: [Instant] {
        state.withLock { $0.deadlines }.map(Instant.init(offset:))
    }

    /// Sleeps until the clock has been moved to the given time or beyond.
    ///
    /// Throws `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let ticket = state.withLock { $0.ticket(until: deadline.offset) }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { $0.add(ticket, continuation) }
                if outcome.isDue { continuation.resume() }
                for waiter in outcome.satisfied { waiter.resume() }
                // A cancellation that came before the sleeper was added has found nobody to wake.
                if Task.isCancelled { cancel(ticket) }
            }
        } onCancel: {
            cancel(ticket)
        }
    }

    /// Moves the clock, and wakes on the way who is due: in order of their times, and of their arrival where those are equal.
    ///
    /// Several calls at the same time add up.
    public func advance(by duration: Duration) {
        wake(until: state.withLock { $0.goal(after: duration) })
    }

    /// Moves the clock to a time; one that has passed changes nothing.
    public func advance(to instant: Instant) {
        wake(until: state.withLock { $0.goal(at: instant.offset) })
    }

    /// Waits until somebody sleeps, and moves the clock to the earliest sleeper's time.
    ///
    /// - Parameter window: waits for a sleeper that is due within this time from now, so that a long timeout in the
    ///   background is not taken for the short pause that the test is about.
    /// - Returns: how far the clock was moved.
    @discardableResult
    public func advanceToNextSleeper(within window: Duration? = nil) async -> Duration {
        while !Task.isCancelled {
            await untilSleeping(within: window)
            let (start, goal) = state.withLock { ($0.now, $0.goalAtNext(within: window)) }
            // Whoever slept may have been called off meanwhile, to sleep until another time.
            guard let goal else { continue }
            wake(until: goal)
            return goal - start
        }
        return .zero
    }

    /// Wakes everybody who sleeps, in order, and leaves the clock at the last one's time.
    public func run() {
        while let goal = state.withLock({ $0.goalAtNext() }) { wake(until: goal) }
    }

    /// Waits until so many tasks sleep on this clock; returns early only when the waiting task is cancelled.
    ///
    /// - Parameter window: counts only sleepers that are due within this time from now, so that a long timeout in the
    ///   background is not taken for the short pause that the test is about.
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

    /// Throws when somebody still sleeps; for the end of a test.
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
