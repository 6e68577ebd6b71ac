/// The progress of a transfer in one direction.
public struct TransferProgress: Hashable, Sendable {
    /// The direction of a transfer.
    public enum Direction: String, Hashable, Sendable {
        /// The request's body is sent.
        case sending
        /// The response's body is received.
        case receiving
    }

    /// The direction of the bytes.
    public var direction: Direction
    /// Bytes so far. The number never decreases within one attempt.
    public var completed: Int64
    /// The total number of bytes, if known.
    public var total: Int64?
    /// The attempt that these bytes belong to, starting with 1.
    public var attempt: Int
    /// Whether the count starts again, because an earlier attempt failed or a download could not continue.
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

/// The maximum size of a response. A larger response ends its call with `.limit`.
public struct TransferLimits: Hashable, Sendable {
    /// Decoded bytes of a body in memory; 256 MiB by default.
    public var bodyInMemory: Int64 = 256 << 20
    /// Bytes of a body in a file; unlimited by default.
    public var bodyInFile: Int64 = .max
    /// Bytes of a streamed body that may wait on disk for a slow reader, if the transport cannot slow the server down;
    /// 256 MiB by default.
    public var streamBacklog: Int64 = 256 << 20

    /// Creates limits with their default values.
    public init() {}
}
