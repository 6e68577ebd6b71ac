/// How far a transfer has come.
public struct TransferProgress: Hashable, Sendable {
    public enum Direction: String, Hashable, Sendable { case sending, receiving }

    public var direction: Direction
    /// Bytes so far; never less than before within one attempt.
    public var completed: Int64
    /// All bytes, where the number is known.
    public var total: Int64?
    /// The attempt that these bytes belong to, 1 for the first.
    public var attempt: Int
    /// Whether counting begins anew here, because an earlier attempt failed.
    public var isRestart: Bool

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

    /// The part that is done, from 0 to 1, where the total is known.
    public var fraction: Double? {
        guard let total else { return nil }
        guard total > 0 else { return 1 }
        return min(1, Double(completed) / Double(total))
    }
}
