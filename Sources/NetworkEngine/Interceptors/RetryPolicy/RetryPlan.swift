/// A retry as a policy would have it: why, and after which pause.
package struct RetryPlan: Hashable, Sendable {
    package let cause: RetryCause
    package let pause: Duration
}

/// What a policy knows of a call besides the failure.
package struct RetryCircumstances: Sendable {
    /// The attempt that failed, 1 for the first.
    package var attempt = 1
    package var timeLeft: Duration?
    /// The method that a repetition begins with, where it is one that must not be repeated.
    package var originalMethod: HTTPMethod?
    package var previousPause: Duration?

    package init(
        attempt: Int = 1,
        timeLeft: Duration? = nil,
        originalMethod: HTTPMethod? = nil,
        previousPause: Duration? = nil
    ) {
        self.attempt = attempt
        self.timeLeft = timeLeft
        self.originalMethod = originalMethod
        self.previousPause = previousPause
    }
}
