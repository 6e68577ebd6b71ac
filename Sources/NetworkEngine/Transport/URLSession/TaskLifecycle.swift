/// The states of the task of a session: when it may be cancelled, and when a redirect may be answered.
///
/// A pure value. On Linux a task crashes when it is cancelled before `resume()` has returned, or cancelled twice, or when a
/// redirect is answered after cancelling has begun.
package struct TaskLifecycle: Sendable {
    private enum Stage { case starting, running, ended }

    private var stage = Stage.starting
    private var isStopping = false
    private var startsLeft = 5
    /// Whether the server asked for a credential and was given none; the session then reports a cancellation.
    package private(set) var isChallenged = false

    package init() {}

    /// The task's `resume()` has returned.
    ///
    /// - Returns: whether the task is cancelled now, because it was stopped before.
    package mutating func resumed() -> Bool {
        guard stage == .starting else { return false }
        stage = .running
        return isStopping
    }

    /// The exchange does not need the task any longer.
    ///
    /// - Returns: whether the task is cancelled now.
    package mutating func stop() -> Bool {
        guard !isStopping, stage != .ended else { return false }
        isStopping = true
        return stage == .running
    }

    /// Whether the task may be cancelled now. A task that has ended is left alone.
    package var mayCancel: Bool { stage == .running && isStopping }

    /// Whether a redirect may be answered.
    package var mayAnswerRedirect: Bool { !isStopping }

    package mutating func challenged() { isChallenged = true }

    /// The task has ended, and another one takes its place, a limited number of times.
    ///
    /// - Returns: whether it may.
    package mutating func startAgain() -> Bool {
        guard startsLeft > 0 else { return false }
        startsLeft -= 1
        isStopping = false
        stage = .starting
        return true
    }

    package mutating func ended() { stage = .ended }
}
