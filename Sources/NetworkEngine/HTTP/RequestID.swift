/// Identifies a call within this process. All attempts of a call have the same identifier.
public struct RequestID: Hashable, Sendable, CustomStringConvertible {
    /// The number of the call.
    public let rawValue: UInt64

    /// Creates an identifier with a given number, for example for a test.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Creates an identifier that is unique in this process.
    public init() {
        rawValue = Self.last.withLock { last in
            last += 1
            return last
        }
    }

    public var description: String { "#\(rawValue)" }

    private static let last = Locked<UInt64>(0)
}
