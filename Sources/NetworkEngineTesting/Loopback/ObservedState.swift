import NetworkEngine

/// A value behind a lock, with support for awaiting its changes.
struct ObservedState<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var value: Value
        var version = 0
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
        var cancelled: Set<Int> = []
        var waiterCount = 0
    }

    private let state: Locked<State>

    init(_ value: Value) { state = Locked(State(value: value)) }

    var value: Value { state.withLock { $0.value } }

    func change<Result>(_ body: (inout Value) -> Result) -> Result {
        let (result, waiters) = state.withLock { state in
            state.version += 1
            let result = body(&state.value)
            guard !state.waiters.isEmpty else { return (result, [CheckedContinuation<Void, any Error>]()) }
            defer { state.waiters = [:] }
            return (result, Array(state.waiters.values))
        }
        for waiter in waiters { waiter.resume() }
        return result
    }

    /// Waits until a condition returns a value. Throws when canceled, or rethrows the condition's error.
    func wait<Result>(for condition: (Value) throws -> Result?) async throws -> Result {
        while true {
            let (value, version) = state.withLock { ($0.value, $0.version) }
            if let result = try condition(value) { return result }
            try await waitForChange(after: version)
        }
    }

    private func waitForChange(after version: Int) async throws {
        let number = state.withLock { state in
            state.waiterCount += 1
            return state.waiterCount
        }
        defer { state.withLock { _ = $0.cancelled.remove(number) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Swift.Result<Void, any Error>? in
                    if state.cancelled.contains(number) { return .failure(CancellationError()) }
                    if state.version != version { return .success(()) }
                    state.waiters[number] = continuation
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.cancelled.insert(number)
                return state.waiters.removeValue(forKey: number)
            }
            waiter?.resume(throwing: CancellationError())
        }
    }
}
