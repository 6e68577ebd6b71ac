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
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isSettled = state.withLock { state in
                    if state.value != nil { return true }
                    state.waiters[number] = waiter
                    return false
                }
                if isSettled { waiter.resume() }
                // A cancellation that came before the waiter was there has found nobody to wake.
                if Task.isCancelled { leave(number) }
            }
        } onCancel: {
            leave(number)
        }
        guard let value else { throw CancellationError() }
        return value
    }

    private func leave(_ number: Int) {
        let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
        waiter?.resume()
    }
}
