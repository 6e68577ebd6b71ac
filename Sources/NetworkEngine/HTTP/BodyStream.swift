public import Foundation

/// Bytes that come piece by piece, for a request's body or a response's.
///
/// Its source is asked for a new iteration each time it is read. A stream that can be read once only says so, and is
/// never sent a second time: no retry, no 307 or 308, no replay after a token refresh.
public struct BodyStream: AsyncSequence, Sendable {
    public typealias Element = Data

    /// The number of bytes, where it is known.
    public var length: Int64? { source.length }
    /// Whether every iteration gives the same bytes again.
    public var isReplayable: Bool { source.isReplayable }
    /// Behind one pointer, because every request and response has room for it and few have one.
    private let source: Source

    private final class Source: Sendable {
        let length: Int64?
        let isReplayable: Bool
        let start: @Sendable () -> AsyncThrowingStream<Data, any Error>

        init(
            _ length: Int64?, _ isReplayable: Bool,
            _ start: @escaping @Sendable () -> AsyncThrowingStream<Data, any Error>
        ) {
            self.length = length
            self.isReplayable = isReplayable
            self.start = start
        }
    }

    /// Makes a stream from a source.
    ///
    /// - Parameter source: called for each iteration.
    public init(
        length: Int64? = nil,
        isReplayable: Bool = true,
        source: @escaping @Sendable () -> AsyncThrowingStream<Data, any Error>
    ) {
        self.source = Source(length, isReplayable, source)
    }

    public func makeAsyncIterator() -> AsyncThrowingStream<Data, any Error>.AsyncIterator {
        source.start().makeAsyncIterator()
    }
}
