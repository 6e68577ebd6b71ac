/// Passes values from one task to another, one at a time. The sender waits until each value is taken.
package struct Handoff<Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Void, Never>

    private enum Side { case giver, taker }

    private struct State {
        var value: Value?
        var end: Result<Void, any Error>?
        var waiters: [Side: Waiter] = [:]
    }

    private let state = Locked(State())

    init() {}

    /// Sends a value.
    ///
    /// - Returns: whether it was taken; `false` if the sending task was canceled.
    func give(_ value: Value) async -> Bool {
        state.withLock { state -> Waiter? in
            state.value = value
            return state.waiters.removeValue(forKey: .taker)
        }?.resume()
        await wait(as: .giver) { $0.value != nil }
        return state.withLock { $0.value == nil }
    }

    /// Ends the sequence after the values sent so far.
    func finish(_ end: Result<Void, any Error>) {
        state.withLock { state -> Waiter? in
            state.end = state.end ?? end
            return state.waiters.removeValue(forKey: .taker)
        }?.resume()
    }

    /// The next value, as soon as it is sent; `nil` at the end.
    func take() async throws -> Value? {
        await wait(as: .taker) { $0.value == nil && $0.end == nil }
        let (value, end, giver) = state.withLock { ($0.value.take(), $0.end, $0.waiters.removeValue(forKey: .giver)) }
        giver?.resume()
        if let value { return value }
        guard let end else { throw CancellationError() }
        try end.get()
        return nil
    }

    /// Waits once, unless there is nothing to wait for. Also returns when the task is canceled.
    private func wait(
        as side: Side,
        while mustWait: @Sendable (State) -> Bool
    ) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isWaiting = state.withLock { state in
                    guard mustWait(state), !Task.isCancelled else { return false }
                    state.waiters[side] = waiter
                    return true
                }
                if !isWaiting { waiter.resume() }
                if Task.isCancelled { state.withLock { $0.waiters.removeValue(forKey: side) }?.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: side) }?.resume()
        }
    }
}
