/// Pauses and resumes a transfer: it ends the running exchange, and delays the next one.
struct PauseGate: Sendable {
    private struct State {
        /// Set while the gate is closed.
        var opening: OneShot<Void>?
        var runs: [Int: @Sendable () -> Void] = [:]
        var count = 0
        var hasInterrupted = false
    }

    private let state = Locked(State())

    init() {}

    var isPaused: Bool { state.withLock { $0.opening != nil } }

    func pause() {
        let runs = state.withLock { state -> [@Sendable () -> Void] in
            guard state.opening == nil else { return [] }
            state.opening = OneShot()
            state.hasInterrupted = state.hasInterrupted || !state.runs.isEmpty
            return Array(state.runs.values)
        }
        for cancel in runs { cancel() }
    }

    /// Cancels running exchanges without a pause.
    func interrupt() { for cancel in state.withLock({ Array($0.runs.values) }) { cancel() } }

    func resume() {
        let opening = state.withLock { $0.opening.take() }
        opening?.settle(())
    }

    /// Runs an exchange in a task that a pause cancels. Throws `CancellationError` immediately while paused.
    func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        guard !noteIfPaused() else { throw CancellationError() }
        let task = Task { try await work() }
        let number = enter { task.cancel() }
        defer { state.withLock { $0.runs[number] = nil } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Whether a pause has ended an exchange since the last call.
    func takeInterruption() -> Bool {
        state.withLock { state in
            defer { state.hasInterrupted = false }
            return state.hasInterrupted
        }
    }

    /// Waits until the gate is open. Throws if the task is canceled.
    func waitUntilOpen() async throws(CancellationError) {
        while let opening = state.withLock({ $0.opening }) { try await opening.wait() }
    }

    private func noteIfPaused() -> Bool {
        state.withLock { state in
            guard state.opening != nil else { return false }
            state.hasInterrupted = true
            return true
        }
    }

    private func enter(_ cancel: @escaping @Sendable () -> Void) -> Int {
        let (number, isPaused) = state.withLock { state in
            state.count += 1
            state.runs[state.count] = cancel
            state.hasInterrupted = state.hasInterrupted || state.opening != nil
            return (state.count, state.opening != nil)
        }
        if isPaused { cancel() }
        return number
    }
}
