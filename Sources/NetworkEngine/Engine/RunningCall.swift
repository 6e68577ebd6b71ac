/// A call that runs in a task and decides its outcome once.
///
/// The first of three events decides: the task's result, `cancel()`, the deadline. Waiting code is resumed immediately,
/// even if other code ignores cancellation.
package struct RunningCall<Value: Sendable>: TimerTarget {
    typealias Outcome = Result<Value, NetworkError>
    /// The task that does the work. It never throws, but a throwing task saves one allocation.
    typealias Working = Task<Outcome, any Error>
    /// Unchecked, because `Locked` already guarantees a single resume and a checked continuation costs an allocation.
    ///
    /// It carries no value, because the outcome is stored in the call. ThreadSanitizer also reports a continuation's
    /// value as a race if it is resumed before its task has suspended.
    private typealias Waiter = UnsafeContinuation<Void, Never>

    private struct State {
        var outcome: Outcome?
        var isCancelled = false
        /// Whether a callback will receive the outcome. Until then the call can be canceled.
        var isAwaitingDelivery = false
        /// The request and the failed attempts, for an error that ends the call externally.
        var request: HTTPRequest?
        var attempts: [Attempt] = []
        /// The attempt after which interceptors decide about another one.
        var latest: Attempt?
        var work: Work
        let onUnclaimed: (@Sendable (Value) -> Void)?
    }

    /// The tasks and timers to end when the outcome is decided.
    private struct Work {
        var task: Working?
        var timer: TimerHeap.Token?
        var deadline: Deadline?
        var onEnd: (@Sendable () -> Void)?
        var observation: CallObservation?
        var waiter: Waiter?
        var moreWaiters: [Waiter] = []
    }

    private let timers: TimerQueue
    private let state: Locked<State>

    /// - Parameters:
    ///   - onEnd: called when the outcome is decided.
    ///   - onUnclaimed: receives a value that is not delivered, because the call had already ended.
    init(
        timers: TimerQueue,
        request: HTTPRequest? = nil,
        onEnd: (@Sendable () -> Void)? = nil,
        onUnclaimed: (@Sendable (Value) -> Void)? = nil
    ) {
        self.timers = timers
        state = Locked(State(request: request, work: Work(onEnd: onEnd), onUnclaimed: onUnclaimed))
    }

    /// Whether `cancel()` ended the call.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Records the call's request.
    func begin(_ request: HTTPRequest) { state.withLock { $0.request = request } }

    /// Records a failed attempt.
    func add(_ attempt: Attempt) {
        state.withLock { state in
            state.attempts.append(attempt)
            state.latest = nil
        }
    }

    /// Records a failed attempt that ends the call unless another one follows; `nil` if its response is accepted.
    func mayEnd(with attempt: Attempt?) { state.withLock { $0.latest = attempt } }

    /// The error with everything that was recorded about the call.
    private func completing(_ error: NetworkError) -> NetworkError {
        let (request, attempts) = state.withLock { ($0.request, $0.attempts + ($0.latest.map { [$0] } ?? [])) }
        return error.completed(request: request, attempts: attempts)
    }

    /// Ends the observation of the call with its outcome, before waiting code is resumed.
    ///
    /// - Returns: `false` if the outcome is already decided.
    func ends(_ observation: CallObservation) -> Bool {
        state.withLock { state in
            if state.outcome != nil { return false }
            state.work.observation = observation
            return true
        }
    }

    /// Starts the work and its timer, once.
    ///
    /// - Parameter makeTask: creates the task that does the work and calls `finish(_:)`. The caller creates the task
    ///   because passing a closure into a task here would wrap it twice.
    func start(until deadline: Deadline?, _ makeTask: () -> Working) {
        if let deadline { setTimer(at: deadline) }
        let task = makeTask()
        let isOver = state.withLock { state in
            if state.outcome != nil { return true }
            state.work.task = task
            return false
        }
        if isOver { task.cancel() }
    }

    /// Starts the work, once, and waits for the outcome. Does nothing in a canceled task.
    ///
    /// The waiter is stored before the work starts, so that the two do not contend for the lock.
    func run(until deadline: Deadline?, _ makeTask: () -> Working) async -> Outcome {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { waiter in
                if wait(waiter) { start(until: deadline, makeTask) }
            }
        } onCancel: {
            cancel()
        }
        return decided
    }

    /// Continues on another thread while the thread that started the work is busy with it.
    func leaveCallersThread() async {
        if state.withLock({ $0.outcome == nil && $0.work.task == nil }) { await Task.yield() }
    }

    /// The outcome, as soon as it is decided. If the waiting task is canceled, the call is canceled.
    var outcome: Outcome {
        get async {
            await withTaskCancellationHandler {
                await withUnsafeContinuation { _ = wait($0) }
            } onCancel: {
                cancel()
            }
            return decided
        }
    }

    private var decided: Outcome {
        guard let outcome = state.withLock({ $0.outcome }) else { preconditionFailure("Resumed without a result") }
        return outcome
    }

    /// Declares that a callback reads the outcome from `delivered()`. Until then the call can be canceled.
    func awaitDelivery() {
        state.withLock { $0.isAwaitingDelivery = true }
    }

    /// The outcome, which is final from here on; `nil` if it is not decided.
    func delivered() -> Outcome? {
        state.withLock { state in
            state.isAwaitingDelivery = false
            return state.outcome
        }
    }

    /// Ends the call as canceled, unless it has already ended.
    func cancel() {
        finish(.failure(completing(.cancelled(nil))), isCancelled: true)
    }

    package func timerFired() {
        let deadline = state.withLock { $0.work.deadline }
        finish(.failure(completing(.deadlinePassed(of: deadline))))
    }

    /// Decides the outcome, unless it is already decided.
    @discardableResult
    func finish(_ outcome: Outcome) -> Outcome {
        finish(outcome, isCancelled: false)
        return outcome
    }

    private func setTimer(at deadline: Deadline) {
        state.withLock { $0.work.deadline = deadline }
        let timer = timers.set(at: deadline.expiry, for: self)
        let isOver = state.withLock { state in
            if state.outcome != nil { return true }
            state.work.timer = timer
            return false
        }
        if isOver { timers.clear(timer) }
    }

    /// Whether the waiter was stored, because the outcome is not decided.
    private func wait(_ waiter: Waiter) -> Bool {
        let isDecided = state.withLock { state in
            if state.outcome != nil { return true }
            if state.work.waiter == nil { state.work.waiter = waiter } else { state.work.moreWaiters.append(waiter) }
            return false
        }
        if isDecided { waiter.resume() }
        return !isDecided
    }

    private func finish(_ outcome: Outcome, isCancelled: Bool) {
        let (ended, unclaimed) = state.withLock { state in
            let isOpen = state.outcome == nil || (isCancelled && state.isAwaitingDelivery && !state.isCancelled)
            guard isOpen else { return (Work?.none, Outcome?.some(outcome)) }
            defer {
                state.outcome = outcome
                state.isCancelled = isCancelled
                state.work = Work()
            }
            return (state.work, state.outcome)
        }
        if case .success(let value) = unclaimed { state.withLock { $0.onUnclaimed }?(value) }
        guard let ended else { return }
        if let timer = ended.timer { timers.clear(timer) }
        ended.task?.cancel()
        ended.observation?.end(outcome.failure)
        ended.onEnd?()
        ended.waiter?.resume()
        for waiter in ended.moreWaiters { waiter.resume() }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
