public import NetworkEngine

/// A request for mocks that records its cancellation, and then never calls back.
///
/// ```swift
/// func request<T: Decodable & Sendable>(
///     type: T.Type,
///     callback: @escaping @Sendable (Result<T, AppError>) -> Void
/// ) -> any NetworkRequest {
///     MockNetworkRequest(outcome: { .failure(.offline) }, callback: callback)
/// }
/// ```
/// It runs even if no reference to it is kept.
public final class MockNetworkRequest: NetworkRequest {
    private enum Phase { case running, ended, cancelled }

    private struct State {
        var phase = Phase.running
        var task: Task<Void, Never>?
    }

    private let state = Locked(State())

    /// Creates a request that ends only when it is canceled.
    public init() {}

    /// Awaits an outcome and calls back with it on an arbitrary thread, unless the request is canceled first.
    ///
    /// - Parameter outcome: its task is canceled with the request.
    public init<Outcome: Sendable>(
        outcome: @escaping @Sendable @concurrent () async -> Outcome,
        callback: @escaping @Sendable (Outcome) -> Void
    ) {
        run { [self] in
            let outcome = await outcome()
            if end() { callback(outcome) }
        }
    }

    /// Awaits an outcome and calls back with it on the main actor, unless the request is canceled first.
    ///
    /// - Parameter outcome: its task is canceled with the request.
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

    /// Ends the request. Returns `false` after a cancellation, when the callback must not be called.
    private func end() -> Bool {
        state.withLock { state in
            guard state.phase == .running else { return false }
            state.phase = .ended
            return true
        }
    }
}
