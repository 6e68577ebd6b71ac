/// The running calls that were started with a handle or a callback.
///
/// Awaited calls are not included: they belong to the awaiting task and cost nothing here.
struct StartedCalls: Sendable {
    private struct State {
        var calls: [Int: @Sendable () -> Void] = [:]
        var count = 0
    }

    private let state = Locked(State())

    /// The number of running calls.
    var count: Int { state.withLock { $0.calls.count } }

    /// A number for the next call.
    func number() -> Int {
        state.withLock { state in
            state.count += 1
            return state.count
        }
    }

    /// Adds a call that starts. It is removed when it ends.
    func add(_ number: Int, cancel: @escaping @Sendable () -> Void) { state.withLock { $0.calls[number] = cancel } }

    func remove(_ number: Int) { _ = state.withLock { $0.calls.removeValue(forKey: number) } }

    /// Cancels all running calls.
    func cancelAll() {
        let calls = state.withLock { $0.calls.values.map(\.self) }
        for cancel in calls { cancel() }
    }
}
