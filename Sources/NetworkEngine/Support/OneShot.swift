/// A value that is set once. Any number of tasks can wait for it, each until it is canceled.
package struct OneShot<Value: Sendable>: Sendable {
    /// Carries no value, because the value is stored in the state.
    private typealias Waiter = CheckedContinuation<Void, Never>

    private struct State {
        var value: Value?
        var waiters: [Int: Waiter] = [:]
        var count = 0
    }

    private let state = Locked(State())

    package init() {}

    /// The value, if it is set.
    package var value: Value? { state.withLock { $0.value } }
    /// Equal for all copies.
    package var identity: ObjectIdentifier { state.identity }
    /// The number of waiting tasks.
    package var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Sets the value and resumes all waiting tasks. Only the first call has an effect.
    ///
    /// - Returns: whether this was the first call.
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

    /// Waits for the value. Throws as soon as the task is canceled.
    package func wait() async throws(CancellationError) -> Value {
        guard let value = try await wait(until: nil, on: nil) else { throw CancellationError() }
        return value
    }

    /// Waits for the value, even in a canceled task.
    func settled() async {
        await withCheckedContinuation { waiter in
            let isSettled = state.withLock { state in
                if state.value != nil { return true }
                state.count += 1
                state.waiters[state.count] = waiter
                return false
            }
            if isSettled { waiter.resume() }
        }
    }

    /// Waits for the value until a deadline. Throws as soon as the task is canceled.
    ///
    /// - Parameter timers: timers with the deadline's timebase. Without them or without a deadline, the wait has no
    ///   limit.
    /// - Returns: `nil` if the deadline passed first.
    package func wait(until deadline: Deadline?, on timers: TimerQueue?) async throws(CancellationError) -> Value? {
        if let value { return value }
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        let timer = deadline.flatMap { timers?.set(at: $0.expiry, for: WaiterTimer(shot: self, number: number)) }
        defer { if let timer { timers?.clear(timer) } }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isSettled = state.withLock { state in
                    if state.value != nil { return true }
                    state.waiters[number] = waiter
                    return false
                }
                if isSettled { waiter.resume() }
                // If a cancellation or a timer came before the waiter was stored, there was nothing to resume.
                if Task.isCancelled || (timer != nil && deadline?.timeLeft == .zero) { leave(number) }
            }
        } onCancel: {
            leave(number)
        }
        if let value { return value }
        if Task.isCancelled { throw CancellationError() }
        return nil
    }

    /// A waiter with a deadline.
    private struct WaiterTimer: TimerTarget {
        let shot: OneShot
        let number: Int

        func timerFired() { shot.leave(number) }
    }

    private func leave(_ number: Int) {
        let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
        waiter?.resume()
    }
}
