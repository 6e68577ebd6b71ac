public import Foundation

/// A sequence of data chunks, for the body of a request or a response.
///
/// Each reading starts a new iteration of the source. A stream that is not replayable is never sent twice: it is not
/// retried, not redirected with status 307 or 308, and not replayed after a token refresh.
///
/// Reading in a canceled task throws `CancellationError`. A canceled reading never looks like a complete one.
public struct BodyStream: AsyncSequence, Sendable {
    /// One of the parts that a stream can consist of.
    package struct Segment: Sendable {
        package enum Content: Sendable {
            case data(Data)
            case file(URL)
            case source(any BodySource)
            case stream(BodyStream)
        }

        package let content: Content
        /// The length, if known. For a file, the length at the time when it was inspected.
        package let length: Int64?
        /// The segment's name in errors.
        package let label: String

        package init(_ content: Content, length: Int64?, label: String = "the body") {
            self.content = content
            self.length = length
            self.label = label
        }

        /// Whether the bytes were sent, if they can be read only once.
        fileprivate var isSpent: [Locked<Bool>] {
            if case .stream(let stream) = content, !stream.isReplayable { stream.source.isSpent } else { [] }
        }
    }

    /// The number of bytes, if known.
    public var length: Int64? { source.length }
    /// Whether every iteration yields the same bytes.
    public var isReplayable: Bool { source.isReplayable }
    /// The segments, for a transport that sends them without reading the stream; `nil` for a stream of one piece.
    package var segments: [Segment]? { source.segments }
    /// Whether the source may wait for response bytes. It must then be sent piece by piece, as it is read.
    package var isSentWhileReceiving: Bool { source.isSentWhileReceiving }
    /// The fields to send after the last byte; `nil` for none.
    package var trailers: Trailers? { source.trailers }
    /// One pointer, because every request and response has space for a stream, but few have one.
    private let source: Source

    private final class Source: Sendable {
        let length: Int64?
        let isReplayable: Bool
        let segments: [Segment]?
        let start: @Sendable () -> Reading
        let isSentWhileReceiving: Bool
        let trailers: Trailers?
        /// Whether the stream was sent. A stream with segments also has the flags of those that can be read only once,
        /// because each call builds a form's body again from the same parts.
        let isSpent: [Locked<Bool>]

        init(
            _ length: Int64?, _ isReplayable: Bool, _ segments: [Segment]?, isSentWhileReceiving: Bool = false,
            trailers: Trailers? = nil, isSpent: [Locked<Bool>]? = nil, _ start: @escaping @Sendable () -> Reading
        ) {
            self.length = length
            self.isReplayable = isReplayable
            self.segments = segments
            self.isSentWhileReceiving = isSentWhileReceiving
            self.trailers = trailers
            self.isSpent = isSpent ?? (isReplayable ? [] : [Locked(false)])
            self.start = start
        }
    }

    /// Creates a stream from a source.
    ///
    /// - Parameter source: called for each iteration.
    public init(
        length: Int64? = nil,
        isReplayable: Bool = true,
        source: @escaping @Sendable () -> AsyncThrowingStream<Data, any Error>
    ) {
        self.source = Source(length, isReplayable, nil) { Reading(of: source()) }
    }

    /// Creates a stream from a closure that starts a reading.
    ///
    /// - Parameter reading: called for each iteration, which owns the result.
    package init(length: Int64?, isReplayable: Bool, reading: @escaping @Sendable () -> Reading) {
        self.source = Source(length, isReplayable, nil, reading)
    }

    /// Creates a stream from segments without reading them yet.
    init(_ segments: [Segment], reading: @escaping @Sendable () -> Reading) {
        let isSpent = segments.flatMap(\.isSpent)
        source = Source(Self.length(of: segments), isSpent.isEmpty, segments, isSpent: isSpent, reading)
    }

    /// The length of all segments; `nil` if the length of one is unknown, or if the sum overflows.
    private static func length(of segments: [Segment]) -> Int64? {
        var sum: Int64 = 0
        for segment in segments {
            guard let length = segment.length else { return nil }
            let (next, overflows) = sum.addingReportingOverflow(length)
            if overflows { return nil }
            sum = next
        }
        return sum
    }

    /// The same bytes for a call that sends and receives at the same time, which sends them once.
    ///
    /// - Parameter onStart: called when a transport starts to read them.
    package func sentWhileReceiving(onStart: @escaping @Sendable () -> Void) -> BodyStream {
        let (start, isSpent) = (source.start, isReplayable ? [Locked(false)] : source.isSpent)
        return BodyStream(
            Source(length, false, nil, isSentWhileReceiving: true, trailers: trailers, isSpent: isSpent) {
                onStart()
                return start()
            })
    }

    /// The same bytes, followed by trailers. Their length is not announced.
    package func sending(_ trailers: Trailers) -> BodyStream {
        BodyStream(
            Source(
                nil, isReplayable, nil, isSentWhileReceiving: isSentWhileReceiving, trailers: trailers,
                isSpent: source.isSpent, source.start))
    }

    private init(_ source: Source) { self.source = source }

    public func makeAsyncIterator() -> Iterator { Iterator(reading: reading()) }

    /// Starts a reading of the stream.
    package func reading() -> Reading { source.start() }

    /// Whether the stream may be sent. Returns `true` only once if the stream is not replayable.
    func mayBeSent() -> Bool {
        if isReplayable { return true }
        for (count, isSpent) in source.isSpent.enumerated() where !isSpent.spend() {
            // Nothing is read from the others.
            for other in source.isSpent.prefix(count) { other.withLock { $0 = false } }
            return false
        }
        return true
    }
}

extension Locked<Bool> {
    /// Sets the flag, and returns whether it was unset before.
    fileprivate func spend() -> Bool {
        withLock { isSpent in
            defer { isSpent = true }
            return !isSpent
        }
    }
}

/// Bytes of known length that can be read at any offset.
package protocol BodySource: Sendable {
    var length: Int64 { get }

    /// Copies bytes starting at an offset; at least one, unless the offset is at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int
}

extension BodyStream {
    /// Whether a server may keep a part of the bytes and receive the rest later, so that they must not change.
    var isSentInParts: Bool {
        source.segments?.contains { if case .source = $0.content { true } else { false } } ?? false
    }

    /// Creates a stream of bytes that a transport reads at any position.
    package init(_ source: any BodySource) {
        self.init(segments: [Segment(.source(source), length: source.length)])
    }
}
