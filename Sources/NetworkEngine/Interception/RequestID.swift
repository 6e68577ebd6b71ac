/// Names a call within this process; all attempts of a call have the same.
public struct RequestID: Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// One that no other call in this process has.
    public init() {
        rawValue = Self.last.withLock { last in
            last += 1
            return last
        }
    }

    public var description: String { "#\(rawValue)" }

    private static let last = Locked<UInt64>(0)
}
