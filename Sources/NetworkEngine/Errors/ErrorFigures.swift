/// The numbers of an error. Its `reason` contains no numbers that vary between calls, so that logs can group by it.
///
/// ```swift
/// logger.error("\(error.reason)", metadata: ["queue": "\(error.figures.timeSpent?.queue ?? .zero)"])
/// ```
/// Two errors that differ only in their figures are equal.
public struct ErrorFigures: Hashable, Sendable {
    /// Where the time went, if the call's deadline has passed.
    public var timeSpent: TimeSpent?
    /// The time without any bytes after which an exchange timed out.
    public var timeout: Duration?
    /// The number of requests in a full queue.
    public var waiting: Int?
    /// The number of bytes of something with the wrong size, such as a body that ended too early.
    public var byteCount: Int64?
    /// The expected number of bytes, such as the announced length of that body.
    public var expectedByteCount: Int64?

    /// Creates figures, for example for a mock.
    public init(
        timeSpent: TimeSpent? = nil,
        timeout: Duration? = nil,
        waiting: Int? = nil,
        byteCount: Int64? = nil,
        expectedByteCount: Int64? = nil
    ) {
        (self.timeSpent, self.timeout, self.waiting) = (timeSpent, timeout, waiting)
        (self.byteCount, self.expectedByteCount) = (byteCount, expectedByteCount)
    }
}

extension ErrorFigures: CustomStringConvertible {
    public var description: String {
        let parts = [
            timeSpent.map { "\($0)" }, timeout.map { "timeout \($0)" }, waiting.map { "\($0) waiting" },
            byteCount.map { "\($0) bytes" }, expectedByteCount.map { "\($0) bytes expected" },
        ]
        return parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
