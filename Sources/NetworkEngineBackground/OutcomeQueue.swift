import NetworkEngine

/// Outcomes in order of arrival, until a reader takes them. If a reader is canceled, they remain here.
///
/// A reader has handled an outcome when it requests the next one, or when it is released.
final class OutcomeQueue<Outcome: Sendable>: Sendable {
    fileprivate struct State {
        var outcomes: [Outcome] = []
        var isFinished = false
        /// The number of outcomes that readers have taken but not yet handled.
        var taken = 0
        var arrival = OneShot<Void>()
        /// Settled when all outcomes are handled.
        var rest = OneShot<Void>()

        var isAtRest: Bool { outcomes.isEmpty && taken == 0 }
    }

    private let state = Locked(State())

    init() {}

    func put(_ outcome: Outcome) {
        let arrival = state.withLock { state in
            state.outcomes.append(outcome)
            return state.takeArrival()
        }
        arrival.settle(())
    }

    /// Ends the streams after the outcomes that have arrived.
    func finish() {
        let arrival = state.withLock { state in
            state.isFinished = true
            return state.takeArrival()
        }
        arrival.settle(())
    }

    /// A stream that takes outcomes from the queue. It ends when its task is canceled, and another stream continues.
    var stream: AsyncStream<Outcome> {
        let reader = Reader(queue: self)
        return AsyncStream(unfolding: { await reader.next() })
    }

    /// Waits until all outcomes are handled, at most for the given time.
    func allHandled(within limit: Duration, on timebase: Timebase) async {
        guard let rest = state.withLock({ $0.isAtRest ? nil : $0.rest }) else { return }
        let timers = TimerQueue(timebase: timebase)
        defer { timers.stop() }
        _ = try? await rest.wait(until: Deadline(in: limit, on: timebase), on: timers)
    }

    /// The next outcome; `nil` at the end, and for a canceled task.
    private func take() async -> Outcome? {
        while !Task.isCancelled {
            let (outcome, isFinished, arrival) = state.withLock { state -> (Outcome?, Bool, OneShot<Void>) in
                guard !state.outcomes.isEmpty else { return (nil, state.isFinished, state.arrival) }
                state.taken += 1
                return (state.outcomes.removeFirst(), false, state.arrival)
            }
            if outcome != nil || isFinished { return outcome }
            do throws(CancellationError) { try await arrival.wait() } catch { return nil }
        }
        return nil
    }

    private func handled() {
        let rest = state.withLock { state -> OneShot<Void>? in
            state.taken -= 1
            guard state.isAtRest else { return nil }
            defer { state.rest = OneShot() }
            return state.rest
        }
        rest?.settle(())
    }

    /// The reader of one stream.
    private final class Reader: Sendable {
        private let queue: OutcomeQueue
        /// Whether it has taken an outcome that it has not yet handled.
        private let hasTaken = Locked(false)

        init(queue: OutcomeQueue) { self.queue = queue }

        deinit { handle() }

        func next() async -> Outcome? {
            handle()
            let outcome = await queue.take()
            if outcome != nil { hasTaken.withLock { $0 = true } }
            return outcome
        }

        private func handle() {
            let hadTaken = hasTaken.withLock { hasTaken in
                defer { hasTaken = false }
                return hasTaken
            }
            if hadTaken { queue.handled() }
        }
    }
}

extension OutcomeQueue.State {
    /// The signal for the waiting readers.
    fileprivate mutating func takeArrival() -> OneShot<Void> {
        defer { arrival = OneShot() }
        return arrival
    }
}
