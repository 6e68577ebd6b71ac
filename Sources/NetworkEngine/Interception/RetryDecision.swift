/// What an interceptor advises after a failed attempt.
///
/// It is advice: the engine alone counts attempts, waits and gives up. The first interceptor in the list that says
/// anything but `doNotRetry` decides.
public enum RetryDecision: Sendable {
    /// No opinion; the next interceptor is asked.
    case doNotRetry
    /// Try again at once.
    case retry
    /// Try again after a pause. When the pause does not fit into the time left, the call fails at once.
    case retryAfter(Duration)
    /// Give up, with this error.
    case fail(any Error)
}
