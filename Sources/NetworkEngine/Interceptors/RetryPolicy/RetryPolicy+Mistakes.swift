// Likely first spellings that do not exist, with messages that show the right one.

extension RetryPolicy {
    /// The first attempt counts.
    @available(*, unavailable, renamed: "init(attemptLimit:)", message: "The limit includes the first attempt.")
    @_alwaysEmitIntoClient
    public init(maxRetries: Int) { self.init(attemptLimit: maxRetries + 1) }

    /// The first attempt counts.
    @available(*, unavailable, renamed: "init(attemptLimit:)", message: "The limit includes the first attempt.")
    @_alwaysEmitIntoClient
    public init(retryLimit: Int) { self.init(attemptLimit: retryLimit + 1) }

    /// A number of attempts has a label.
    @available(*, unavailable, renamed: "init(attemptLimit:)", message: "The limit includes the first attempt.")
    @_alwaysEmitIntoClient
    public init(_ attemptLimit: Int) { self.init(attemptLimit: attemptLimit) }
}
