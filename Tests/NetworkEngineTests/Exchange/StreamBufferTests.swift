import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct StreamBufferTests {
    private final class Exchange: Sendable {
        let buffer: StreamBuffer
        init(_ buffer: StreamBuffer) { self.buffer = buffer }
    }

    @Test func `an exchange that ends before its buffer is connected is not retained`() {
        weak var exchange: Exchange?
        do {
            let made = Exchange(StreamBuffer(fileLimit: 0, context: TransportContext()))
            exchange = made
            made.buffer.finish(.failure(CancellationError()))
            made.buffer.connect(StreamBuffer.Source { withExtendedLifetime(made) {} })
        }
        #expect(exchange == nil)
    }

    @Test func `an unread stream cancels its exchange when it is released`() {
        let isAbandoned = Locked(false)
        let buffer = StreamBuffer(fileLimit: 0, context: TransportContext())
        buffer.connect(StreamBuffer.Source { isAbandoned.withLock { $0 = true } })
        var stream: BodyStream? = buffer.stream(length: nil)
        #expect(stream != nil && !isAbandoned.withLock { $0 })
        stream = nil
        #expect(isAbandoned.withLock { $0 })
    }

    @Test func `the iterator of a stream owns its reader`() async throws {
        let isAbandoned = Locked(false)
        let buffer = StreamBuffer(fileLimit: 0, context: TransportContext())
        buffer.connect(StreamBuffer.Source { isAbandoned.withLock { $0 = true } })
        _ = try buffer.write(Data("a".utf8))
        let stream = buffer.stream(length: nil)
        var iterator: BodyStream.Iterator? = stream.makeAsyncIterator()
        let piece = try await iterator?.next()
        #expect(piece == Data("a".utf8) && !isAbandoned.withLock { $0 })
        iterator = nil
        #expect(isAbandoned.withLock { $0 })
        withExtendedLifetime(stream) {}
    }
}
