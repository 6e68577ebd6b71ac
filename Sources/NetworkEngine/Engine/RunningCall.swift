/// A call that runs in a task of its own, and the one place where its outcome is decided.
///
/// The first of three decides: the task's result, `cancel()`, the deadline. Whoever waits is resumed at once, without
/// waiting for code that ignores cancellation.
package struct RunningCall<Value: Sendable>: TimerTarget {
    package typealias Outcome = Result<Value, NetworkError>
    /// What does the work. It does not throw, but a task that may is made with one allocation less.
    package typealias Working = Task<Outcome, any Error>
    /// Unchecked, since `Locked` makes sure of what a checked one would check at the price of another allocation.
    ///
    /// Empty-handed, since the outcome has one home; and because ThreadSanitizer takes what a continuation carries for a
    /// race when it is resumed before its task has suspended.
    private typealias Waiter = UnsafeContinuation<Void, Never>

    private struct State {
        var outcome: Outcome?
        var isCancelled = false
        /// Whether a callback is still to get the outcome, which can be cancelled until then.
        var isAwaitingDelivery = false
        var work: Work
        let onUnclaimed: (@Sendable (Value) -> Void)?
    }

    /// What is to be ended and told when the outcome is decided.
    private struct Work {
        var task: Working?
        var timer: TimerHeap.Token?
        var onEnd: (@Sendable () -> Void)?
        var waiter: Waiter?
        var moreWaiters: [Waiter] = []
    }

    /// What is known of the call when it is ended from outside.
    package let record: CallRecord
    private let timers: TimerQueue
    private let state: Locked<State>

    /// - Parameters:
    ///   - onEnd: told when the outcome is decided.
    ///   - onUnclaimed: given a value that nobody will get, because the call was ended before it came or was delivered.
    package init(
        timers: TimerQueue,
        request: HTTPRequest? = nil,
        onEnd: (@Sendable () -> Void)? = nil,
        onUnclaimed: (@Sendable (Value) -> Void)? = nil
    ) {
        self.timers = timers
        record = CallRecord(request)
        state = Locked(State(work: Work(onEnd: onEnd), onUnclaimed: onUnclaimed))
    }

    /// Whether `cancel()` came before any other end.
    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Starts the work, once, and the time it has.
    ///
    /// - Parameter makeTask: makes the task that does the work, which ends with `finish(_:)`. Made by the caller, since a
    ///   closure handed down into a task here would be wrapped twice.
    package func start(until deadline: Deadline?, _ makeTask: () -> Working) {
        if let deadline { setTimer(at: deadline.expiry) }
        let task = makeTask()
        let isOver = state.withLock { state in
            if state.outcome != nil { return true }
            state.work.task = task
            return false
        }
        if isOver { task.cancel() }
    }

    /// Starts the work, once, and waits for the outcome; nothing is started for a task that is cancelled already.
    ///
    /// The waiter is there before the work begins, so that the two do not meet at the lock.
    package func run(until deadline: Deadline?, _ makeTask: () -> Working) async -> Outcome {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { waiter in
                if wait(waiter) { start(until: deadline, makeTask) }
            }
        } onCancel: {
            cancel()
        }
        return decided
    }

    /// Waits for another thread as long as the one that starts the work is busy with it.
    package func leaveCallersThread() async {
        if state.withLock({ $0.outcome == nil && $0.work.task == nil }) { await Task.yield() }
    }

    /// The outcome, as soon as it is decided. When the task that waits for it is cancelled, so is the call.
    package var outcome: Outcome {
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

    /// Says that a callback will get the outcome from `delivered()`: cancelling has effect until that is called.
    package func awaitDelivery() {
        state.withLock { $0.isAwaitingDelivery = true }
    }

    /// The outcome, final from here on; `nil` while there is none.
    package func delivered() -> Outcome? {
        state.withLock { state in
            state.isAwaitingDelivery = false
            return state.outcome
        }
    }

    /// Ends the call as cancelled, unless it has ended already.
    package func cancel() {
        finish(.failure(record.completing(.cancelled(nil))), isCancelled: true)
    }

    package func timerFired() {
        finish(.failure(record.completing(.deadlinePassed())))
    }

    /// Decides the outcome, unless another one was there before.
    @discardableResult
    package func finish(_ outcome: Outcome) -> Outcome {
        finish(outcome, isCancelled: false)
        return outcome
    }

    private func setTimer(at time: Duration) {
        let timer = timers.set(at: time, for: self)
        let isOver = state.withLock { state in
            if state.outcome != nil { return true }
            state.work.timer = timer
            return false
        }
        if isOver { timers.clear(timer) }
    }

    /// Whether the waiter has to wait, because there is no outcome yet.
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
        ended.onEnd?()
        ended.waiter?.resume()
        for waiter in ended.moreWaiters { waiter.resume() }
    }
}

/// The request and the failed attempts of a call, for the error of one that is ended from outside.
package struct CallRecord: Sendable {
    private let state: Locked<(request: HTTPRequest?, attempts: [Attempt])>

    package init(_ request: HTTPRequest? = nil) { state = Locked((request, [])) }

    package func begin(_ request: HTTPRequest) { state.withLock { $0.request = request } }

    package func add(_ attempt: Attempt) { state.withLock { $0.attempts.append(attempt) } }

    /// An error with everything that is known of the call so far.
    fileprivate func completing(_ error: NetworkError) -> NetworkError {
        let (request, attempts) = state.withLock { $0 }
        return error.completed(request: request, attempts: attempts)
    }
}
