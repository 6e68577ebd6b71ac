/// The states of a session task: when it may be canceled, and when a redirect may be answered.
///
/// A pure value. On Linux a task crashes if it is canceled before `resume()` has returned, if it is canceled twice, or
/// if a redirect is answered after cancellation has started.
struct TaskLifecycle: Sendable {
    private enum Stage { case starting, running, ended }

    private var stage = Stage.starting
    private var isStopping = false
    private var startsLeft = 5
    /// Whether the server requested a credential and received none. The session then reports a cancellation.
    private(set) var isChallenged = false

    init() {}

    /// Records that the task's `resume()` has returned.
    ///
    /// - Returns: whether to cancel the task now, because it was stopped before.
    mutating func resumed() -> Bool {
        guard stage == .starting else { return false }
        stage = .running
        return isStopping
    }

    /// Records that the exchange no longer needs the task.
    ///
    /// - Returns: whether to cancel the task now.
    mutating func stop() -> Bool {
        guard !isStopping, stage != .ended else { return false }
        isStopping = true
        return stage == .running
    }

    /// Whether the task may be canceled now. A task that has ended is left alone.
    var mayCancel: Bool { stage == .running && isStopping }

    /// Whether a redirect may be answered.
    var mayAnswerRedirect: Bool { !isStopping }

    mutating func challenged() { isChallenged = true }

    /// Records that the task has ended and another one replaces it, a limited number of times.
    ///
    /// - Returns: whether another task may start.
    mutating func startAgain() -> Bool {
        guard startsLeft > 0 else { return false }
        startsLeft -= 1
        isStopping = false
        stage = .starting
        return true
    }

    mutating func ended() { stage = .ended }
}
