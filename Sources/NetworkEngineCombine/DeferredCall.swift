import NetworkEngine

/// A call that starts on demand and delivers its result once, unless it is canceled first.
///
/// Combine subscriptions use it. It does not import Combine, so that its tests also run on Linux.
final class DeferredCall<Output: Sendable, Failure: Error>: Sendable {
    typealias Outcome = Result<Output, Failure>
    typealias Call = @Sendable () async throws(Failure) -> Output

    private enum Phase { case idle, started, finished }

    private struct State {
        var phase = Phase.idle
        var task: Task<Void, Never>?
        var deliver: ((Outcome) -> Void)?
    }

    private let call: Call
    private let onUnclaimed: (@Sendable (Output) -> Void)?
    private let state: Locked<State>

    /// - Parameters:
    ///   - onUnclaimed: receives a value that arrives after the call was canceled.
    ///   - deliver: receives the result at most once, on an arbitrary thread.
    init(
        _ call: @escaping Call,
        onUnclaimed: (@Sendable (Output) -> Void)? = nil,
        deliver: @escaping (Outcome) -> Void
    ) {
        self.call = call
        self.onUnclaimed = onUnclaimed
        state = Locked(State(deliver: deliver))
    }

    /// Starts the call, once.
    func start() {
        let isFirst = state.withLock { state in
            guard state.phase == .idle else { return false }
            state.phase = .started
            return true
        }
        guard isFirst else { return }
        let task = Task { await run() }
        let isFinished = state.withLock { state in
            guard state.phase == .started else { return true }
            state.task = task
            return false
        }
        if isFinished { task.cancel() }
    }

    /// Cancels the call. No result is delivered afterwards.
    func cancel() { end().task?.cancel() }

    private func run() async {
        let outcome: Outcome
        do throws(Failure) {
            outcome = .success(try await call())
        } catch {
            outcome = .failure(error)
        }
        if let deliver = end().deliver {
            deliver(outcome)
        } else if case .success(let value) = outcome {
            onUnclaimed?(value)
        }
    }

    /// Ends the call and returns its task and callback, so that they are used and released outside the lock.
    private func end() -> (task: Task<Void, Never>?, deliver: ((Outcome) -> Void)?) {
        state.withLock { state in
            defer { state = State(phase: .finished) }
            return (state.task, state.deliver)
        }
    }
}
