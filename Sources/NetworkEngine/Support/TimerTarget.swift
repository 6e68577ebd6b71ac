/// A receiver of timer events.
package protocol TimerTarget: Sendable {
    /// Called at most once for each time a timer was set, on an arbitrary thread, never under a lock.
    func timerFired()
}
