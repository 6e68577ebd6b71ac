public import NetworkEngine

/// A request to hand out in mocks: it remembers whether it was cancelled, and then calls nobody back.
///
/// ```swift
/// func request<T: Decodable & Sendable>(
///     type: T.Type,
///     callback: @escaping @Sendable (Result<T, AppError>) -> Void
/// ) -> any NetworkRequest {
///     MockNetworkRequest(outcome: { .failure(.offline) }, callback: callback)
/// }
/// ```
/// It runs also when nobody holds it.
public final class MockNetworkRequest: NetworkRequest {
    private enum Phase { case running, ended, cancelled }

    private struct State {
        var phase = Phase.running
        var task: Task<Void, Never>?
    }

    private let state = Locked(State())

    /// Makes a request that does nothing, and ends only by being cancelled.
    public init() {}

    /// Waits for an outcome and hands it to the callback, on no particular queue, unless it is cancelled first.
    ///
    /// - Parameter outcome: its task is cancelled with the request.
    public init<Outcome: Sendable>(
        outcome: @escaping @Sendable @concurrent () async -> Outcome,
        callback: @escaping @Sendable (Outcome) -> Void
    ) {
        run { [self] in
            let outcome = await outcome()
            if end() { callback(outcome) }
        }
    }

    /// Waits for an outcome and hands it to the callback on the main actor, unless it is cancelled before that.
    ///
    /// - Parameter outcome: its task is cancelled with the request.
    public init<Outcome: Sendable>(
        outcome: @escaping @Sendable @concurrent () async -> Outcome,
        onMain callback: @escaping @MainActor @Sendable (Outcome) -> Void
    ) {
        run { [self] in
            let outcome = await outcome()
            await MainActor.run {
                if end() { callback(outcome) }
            }
        }
    }

    public var isCancelled: Bool { state.withLock { $0.phase == .cancelled } }

    public func cancel() {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard state.phase == .running else { return nil }
            state.phase = .cancelled
            return state.task
        }
        task?.cancel()
    }

    private func run(_ work: @escaping @Sendable @concurrent () async -> Void) {
        let task = Task { await work() }
        state.withLock { $0.task = task }
    }

    /// Whether the callback may be called; it may not after a cancellation.
    private func end() -> Bool {
        state.withLock { state in
            guard state.phase == .running else { return false }
            state.phase = .ended
            return true
        }
    }
}
