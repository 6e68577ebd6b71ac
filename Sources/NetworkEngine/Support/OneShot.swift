/// A value that comes once, and that any number of tasks can wait for, each until it is cancelled itself.
package struct OneShot<Value: Sendable>: Sendable {
    /// Empty-handed, since the value has one home.
    private typealias Waiter = CheckedContinuation<Void, Never>

    private struct State {
        var value: Value?
        var waiters: [Int: Waiter] = [:]
        var count = 0
    }

    private let state = Locked(State())

    package init() {}

    /// The value, when it has come.
    package var value: Value? { state.withLock { $0.value } }
    /// How many wait.
    package var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Brings the value to everybody who waits and who comes later; only the first time.
    ///
    /// - Returns: whether this was the first time.
    @discardableResult
    package func settle(_ value: Value) -> Bool {
        let waiters = state.withLock { state -> [Waiter]? in
            guard state.value == nil else { return nil }
            state.value = value
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        guard let waiters else { return false }
        for waiter in waiters { waiter.resume() }
        return true
    }

    /// Waits for the value; throws as soon as the task is cancelled.
    package func wait() async throws(CancellationError) -> Value {
        guard let value = try await wait(until: nil, on: nil) else { throw CancellationError() }
        return value
    }

    /// Waits for the value, but not beyond a deadline; throws as soon as the task is cancelled.
    ///
    /// - Parameter timers: of the deadline's timebase; without them, or without a deadline, there is no end to waiting.
    /// - Returns: `nil` when the deadline came first.
    package func wait(until deadline: Deadline?, on timers: TimerQueue?) async throws(CancellationError) -> Value? {
        if let value { return value }
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        let timer = deadline.flatMap { timers?.set(at: $0.expiry, for: Place(shot: self, number: number)) }
        defer { if let timer { timers?.clear(timer) } }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isSettled = state.withLock { state in
                    if state.value != nil { return true }
                    state.waiters[number] = waiter
                    return false
                }
                if isSettled { waiter.resume() }
                // A cancellation or an timer that came before the waiter was there has found nobody to wake.
                if Task.isCancelled || (timer != nil && deadline?.timeLeft == .zero) { leave(number) }
            }
        } onCancel: {
            leave(number)
        }
        if let value { return value }
        if Task.isCancelled { throw CancellationError() }
        return nil
    }

    /// A waiter whom the clock can call away.
    private struct Place: TimerTarget {
        let shot: OneShot
        let number: Int

        func timerFired() { shot.leave(number) }
    }

    private func leave(_ number: Int) {
        let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
        waiter?.resume()
    }
}
