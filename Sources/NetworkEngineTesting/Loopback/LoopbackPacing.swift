/// A body in pieces.
///
/// Intervals are at least as long as asked for; the timer's grain is a millisecond, and zero means no wait at all.
public struct LoopbackPacing: Sendable, Hashable {
    public var bytes: Int
    public var interval: Duration
    /// Whether the head is sent in such pieces, too.
    public var includesHead: Bool

    public init(bytes: Int, every interval: Duration, includesHead: Bool = false) {
        self.bytes = max(1, bytes)
        self.interval = interval
        self.includesHead = includesHead
    }

    /// A hundred pieces a second, or fewer where a byte takes longer.
    public init(bytesPerSecond rate: Int) {
        let rate = max(1, rate)
        let bytes = max(1, rate / 100)
        self.init(bytes: bytes, every: .seconds(1) * bytes / rate)
    }
}
