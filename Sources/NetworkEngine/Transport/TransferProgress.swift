/// The progress of a transfer in one direction.
public struct TransferProgress: Hashable, Sendable {
    /// The direction of a transfer.
    public enum Direction: String, Hashable, Sendable {
        /// The request body is being sent.
        case sending
        /// The response body is being received.
        case receiving
    }

    /// The direction of the bytes.
    public var direction: Direction
    /// The number of bytes transferred so far. It never decreases within one attempt.
    public var completed: Int64
    /// The total number of bytes, if known.
    public var total: Int64?
    /// The attempt that these bytes belong to, starting with 1.
    public var attempt: Int
    /// Whether the count restarts, because an earlier attempt failed or a download could not resume.
    public var isRestart: Bool

    /// Creates a report, for example in a transport.
    public init(
        direction: Direction,
        completed: Int64,
        total: Int64? = nil,
        attempt: Int = 1,
        isRestart: Bool = false
    ) {
        self.direction = direction
        self.completed = completed
        self.total = total
        self.attempt = attempt
        self.isRestart = isRestart
    }

    /// The completed fraction, from 0 to 1, if the total is known.
    public var fraction: Double? {
        guard let total else { return nil }
        guard total > 0 else { return 1 }
        return min(1, Double(completed) / Double(total))
    }
}

/// The maximum size of a response. A larger response fails its call with `.limit`.
public struct TransferLimits: Hashable, Sendable {
    /// The limit for an in-memory body, in decoded bytes; by default 256 MiB.
    public var bodyInMemory: Int64 = 256 << 20
    /// The limit for a body in a file, in bytes; by default unlimited.
    public var bodyInFile: Int64 = .max
    /// The limit for the part of a streamed body that waits on disk for a slow reader, if the transport cannot slow
    /// down the server, in bytes; by default 256 MiB.
    public var streamBacklog: Int64 = 256 << 20

    /// Creates limits with their default values.
    public init() {}
}
