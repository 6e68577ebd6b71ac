public import Foundation

/// Bytes that come piece by piece, for a request's body or a response's.
///
/// Its source is asked for a new iteration each time it is read. A stream that can be read once only says so, and is
/// never sent a second time: no retry, no 307 or 308, no replay after a token refresh.
public struct BodyStream: AsyncSequence, Sendable {
    public typealias Element = Data

    /// The number of bytes, where it is known.
    public let length: Int64?
    /// Whether every iteration gives the same bytes again.
    public let isReplayable: Bool
    private let start: @Sendable () -> AsyncThrowingStream<Data, any Error>

    /// Makes a stream from a source.
    ///
    /// - Parameter source: called for each iteration.
    public init(
        length: Int64? = nil,
        isReplayable: Bool = true,
        source: @escaping @Sendable () -> AsyncThrowingStream<Data, any Error>
    ) {
        self.length = length
        self.isReplayable = isReplayable
        self.start = source
    }

    public func makeAsyncIterator() -> AsyncThrowingStream<Data, any Error>.AsyncIterator {
        start().makeAsyncIterator()
    }
}
