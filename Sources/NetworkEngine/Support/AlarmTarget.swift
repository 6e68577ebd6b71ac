/// Somebody who wants to be told when a time has come.
package protocol AlarmTarget: Sendable {
    /// Called at most once for each time an alarm was set, on an arbitrary thread, never under a lock.
    func alarmFired()
}
