/// A call that starts when it is wanted, and whose outcome is delivered once unless it is called off before.
///
/// What a subscription of Combine is made of; it knows nothing of Combine, so that it is tested where there is none.
package final class DemandedCall<Output: Sendable, Failure: Error>: Sendable {
    package typealias Outcome = Result<Output, Failure>
    package typealias Call = @Sendable () async throws(Failure) -> Output

    private enum Phase { case idle, started, over }

    private struct State {
        var phase = Phase.idle
        var task: Task<Void, Never>?
        var deliver: ((Outcome) -> Void)?
    }

    private let call: Call
    private let onUnclaimed: (@Sendable (Output) -> Void)?
    private let state: Locked<State>

    /// - Parameters:
    ///   - onUnclaimed: given a value that came after the call was called off.
    ///   - deliver: called at most once, on no particular thread.
    package init(
        _ call: @escaping Call,
        onUnclaimed: (@Sendable (Output) -> Void)? = nil,
        deliver: @escaping (Outcome) -> Void
    ) {
        self.call = call
        self.onUnclaimed = onUnclaimed
        state = Locked(State(deliver: deliver))
    }

    /// Starts the call, the first time it is asked to.
    package func start() {
        let isFirst = state.withLock { state in
            guard state.phase == .idle else { return false }
            state.phase = .started
            return true
        }
        guard isFirst else { return }
        let task = Task { await run() }
        let isOver = state.withLock { state in
            guard state.phase == .started else { return true }
            state.task = task
            return false
        }
        if isOver { task.cancel() }
    }

    /// Ends the call; nothing is delivered any more.
    package func cancel() { end().task?.cancel() }

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

    /// What was there to end, given out so that it is used and let go of outside the lock.
    private func end() -> (task: Task<Void, Never>?, deliver: ((Outcome) -> Void)?) {
        state.withLock { state in
            defer { state = State(phase: .over) }
            return (state.task, state.deliver)
        }
    }
}
