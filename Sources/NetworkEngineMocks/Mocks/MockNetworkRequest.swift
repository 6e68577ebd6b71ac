import Dispatch
public import NetworkEngine

/// A request for mocks that calls back once, even after a cancellation.
///
/// ```swift
/// func request<T: Decodable & Sendable>(
///     type: T.Type,
///     callback: @escaping @Sendable (Result<T, AppError>) -> Void
/// ) -> any NetworkRequest {
///     MockNetworkRequest(outcome: { .failure(.offline) }, cancelled: .failure(.cancelled), callback: callback)
/// }
/// ```
/// After `cancel()` has returned, the callback receives the value of `cancelled`, as with a real client. Without that
/// value it receives whatever the outcome returns.
///
/// It runs even if you keep no reference to it.
public final class MockNetworkRequest: NetworkRequest {
    private enum Phase { case running, ended, cancelled }

    private struct State {
        var phase = Phase.running
        var task: Task<Void, Never>?
    }

    private let state = Locked(State())

    /// Creates a request that ends only when it is canceled.
    public init() {}

    /// Awaits an outcome and calls back once, on an arbitrary thread.
    ///
    /// - Parameters:
    ///   - outcome: its task is canceled with the request.
    ///   - cancelled: The value of a canceled request, instead of its outcome.
    public init<Outcome: Sendable>(
        outcome: @escaping @Sendable @concurrent () async -> Outcome,
        cancelled: Outcome? = nil,
        callback: @escaping @Sendable (Outcome) -> Void
    ) {
        run { [self] in
            let outcome = await outcome()
            callback(end() ? outcome : cancelled ?? outcome)
        }
    }

    /// Awaits an outcome and calls back once, on the main actor.
    ///
    /// - Parameters:
    ///   - outcome: its task is canceled with the request.
    ///   - cancelled: The value of a canceled request, instead of its outcome.
    public init<Outcome: Sendable>(
        outcome: @escaping @Sendable @concurrent () async -> Outcome,
        cancelled: Outcome? = nil,
        onMain callback: @escaping @MainActor @Sendable (Outcome) -> Void
    ) {
        run { [self] in
            let outcome = await outcome()
            await MainActor.run { callback(end() ? outcome : cancelled ?? outcome) }
        }
    }

    /// Awaits an outcome and calls back once, on a queue. Until then it can be canceled.
    init<Outcome: Sendable>(
        outcome: @escaping @Sendable @concurrent () async -> Outcome,
        cancelled: Outcome,
        queue: DispatchQueue,
        callback: @escaping @Sendable (Outcome) -> Void
    ) {
        run { [self] in
            let outcome = await outcome()
            queue.async { callback(self.end() ? outcome : cancelled) }
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

    /// Ends the request. Returns `false` after a cancellation.
    private func end() -> Bool {
        state.withLock { state in
            guard state.phase == .running else { return false }
            state.phase = .ended
            return true
        }
    }
}
