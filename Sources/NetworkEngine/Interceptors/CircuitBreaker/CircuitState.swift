/// Whether a host is asked.
public enum CircuitState: String, Hashable, Sendable {
    /// It is, and what comes is counted.
    case closed
    /// It is not, for a while.
    case open
    /// One request finds out whether it can be asked again.
    case halfOpen
    /// It is not, until somebody says so.
    case isolated
}

/// The host failed too often lately and was not asked; the `underlying` of an error of kind `.limit`.
public struct CircuitOpen: Error, Hashable, Sendable {
    /// When it will be asked again; `nil` when only a person knows.
    public let retryAfter: Duration?

    public init(retryAfter: Duration?) { self.retryAfter = retryAfter }
}
