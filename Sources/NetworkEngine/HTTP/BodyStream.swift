public import Foundation

/// Bytes that come piece by piece, for a request's body or a response's.
///
/// Its source is asked for a new iteration each time it is read. A stream that can be read once only says so, and is
/// never sent a second time: no retry, no 307 or 308, no replay after a token refresh.
///
/// Reading in a canceled task throws `CancellationError`. A reading that was cut off never looks like a complete one.
public struct BodyStream: AsyncSequence, Sendable {
    public typealias Element = Data

    /// A stretch of a stream that is put together from several.
    package struct Segment: Sendable {
        package enum Content: Sendable {
            case data(Data)
            case file(URL)
            case stream(BodyStream)
        }

        package let content: Content
        /// As far as it is known: a file's was when it was looked at.
        package let length: Int64?
        /// What it is called when something is wrong with it.
        package let label: String

        package init(_ content: Content, length: Int64?, label: String = "the body") {
            self.content = content
            self.length = length
            self.label = label
        }

        var isReplayable: Bool {
            if case .stream(let stream) = content { stream.isReplayable } else { true }
        }
    }

    /// The number of bytes, where it is known.
    public var length: Int64? { source.length }
    /// Whether every iteration gives the same bytes again.
    public var isReplayable: Bool { source.isReplayable }
    /// What it is put together from, for who can send that without reading the stream; `nil` when it is of one piece.
    package var segments: [Segment]? { source.segments }
    /// Behind one pointer, because every request and response has room for it and few have one.
    private let source: Source

    private final class Source: Sendable {
        let length: Int64?
        let isReplayable: Bool
        let segments: [Segment]?
        let start: @Sendable () -> Reading
        let isSpent = Locked(false)

        init(
            _ length: Int64?, _ isReplayable: Bool, _ segments: [Segment]?,
            _ start: @escaping @Sendable () -> Reading
        ) {
            self.length = length
            self.isReplayable = isReplayable
            self.segments = segments
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
        self.source = Source(length, isReplayable, nil) { Reading(of: source()) }
    }

    /// Makes a stream from what starts a reading of it.
    ///
    /// - Parameter reading: called for each iteration, which alone keeps what it returns.
    package init(length: Int64?, isReplayable: Bool, reading: @escaping @Sendable () -> Reading) {
        self.source = Source(length, isReplayable, nil, reading)
    }

    /// Puts a stream together, without reading anything yet.
    package init(_ segments: [Segment], reading: @escaping @Sendable () -> Reading) {
        let lengths = segments.compactMap(\.length)
        let length = lengths.count == segments.count ? lengths.reduce(0, +) : nil
        source = Source(length, segments.allSatisfy(\.isReplayable), segments, reading)
    }

    public func makeAsyncIterator() -> Iterator { Iterator(reading: reading()) }

    /// Begins to read the stream.
    package func reading() -> Reading { source.start() }

    /// Whether the stream may be sent: one that can be read once, the first time only.
    package func mayBeSent() -> Bool {
        if isReplayable { return true }
        return source.isSpent.withLock { isSpent in
            defer { isSpent = true }
            return !isSpent
        }
    }
}
