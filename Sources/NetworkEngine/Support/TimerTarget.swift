/// Somebody who wants to be told when a time has come.
package protocol TimerTarget: Sendable {
    /// Called at most once for each time an timer was set, on an arbitrary thread, never under a lock.
    func timerFired()
}
