import Foundation
import Testing

@testable import NetworkEngine

/// Bodies as streams of chunks, from all kinds of sources.
@Suite(.timeLimit(.minutes(5))) struct BodyStreamTests {
    private struct Mistake: Error {}

    /// A sequence that counts the requests for chunks.
    private struct Counting: AsyncSequence, Sendable {
        let asked: Locked<Int>
        var count = 3
        var fails = false

        func makeAsyncIterator() -> AsyncThrowingStream<Data, any Error>.AsyncIterator {
            let (asked, count, fails) = (asked, count, fails)
            return AsyncThrowingStream(unfolding: {
                let number = asked.withLock { asked in
                    asked += 1
                    return asked
                }
                if number <= count { return Data("\(number)".utf8) }
                if fails { throw Mistake() }
                return nil
            }).makeAsyncIterator()
        }
    }

    private func text(_ stream: BodyStream) async throws -> String {
        var bytes = Data()
        for try await piece in stream { bytes += piece }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `an asynchronous sequence is sent as a body`() async throws {
        let body = BodyStream(Counting(asked: Locked(0)), length: 3)
        #expect(body.length == 3 && !body.isReplayable)
        #expect(try await text(body) == "123")
    }

    /// If each chunk made the next one more expensive, the time would exceed its limit, and the memory the stack.
    @Test(.timeLimit(.minutes(10))) func `a piece costs the same after a hundred thousand others`() async throws {
        let left = Locked(100_000)
        let body = BodyStream {
            AsyncThrowingStream(unfolding: {
                left.withLock { left in
                    left -= 1
                    return left < 0 ? nil : Data([1])
                }
            })
        }
        var count = 0
        for try await piece in body { count += piece.count }
        #expect(count == 100_000)
    }

    @Test func `a sequence is not read ahead of the consumer`() async throws {
        let asked = Locked(0)
        var pieces = BodyStream(Counting(asked: asked, count: 1000)).makeAsyncIterator()
        _ = try await pieces.next()
        _ = try await pieces.next()
        #expect(asked.withLock { $0 } <= 4)
    }

    @Test func `the error of a sequence follows its elements`() async throws {
        var pieces = BodyStream(Counting(asked: Locked(0), count: 1, fails: true)).makeAsyncIterator()
        #expect(try await pieces.next() == Data("1".utf8))
        await #expect(throws: Mistake.self) { try await pieces.next() }
    }

    @Test func `a reader that is canceled stops the sequence`() async throws {
        let (endless, source) = AsyncThrowingStream<Data, any Error>.makeStream()
        let hasEnded = OneShot<Void>()
        source.onTermination = { _ in hasEnded.settle(()) }
        let reader = Task { try await text(BodyStream(endless)) }
        source.yield(Data("a".utf8))
        reader.cancel()
        _ = await reader.result
        try await hasEnded.wait()
    }

    /// An endless sequence of chunks.
    private static let endless = BodyStream { AsyncThrowingStream(unfolding: { Data("x".utf8) }) }

    private static func segmented() -> BodyStream { BodyStream(segments: [.init(.stream(endless), length: nil)]) }

    private static func compressed() async throws -> BodyStream {
        let request = HTTPRequest(method: .post, url: URL(filePath: "/"), body: .stream(endless))
        let adapted = try await RequestCompression().adapt(request, context: RequestContext())
        guard case .stream(let stream) = adapted.body else { return endless }
        return stream
    }

    @Test(arguments: ["raw", "of a sequence", "of segments", "compressed"])
    func `a reader that is canceled between two chunks gets an error, not the end`(kind: String) async throws {
        let stream =
            switch kind {
            case "raw": Self.endless
            case "of a sequence": BodyStream(Self.endless)
            case "of segments": Self.segmented()
            default: try await Self.compressed()
            }
        let reader = Task {
            var isFirst = true
            // A compressor has no output until it has enough input.
            if kind == "compressed" { withUnsafeCurrentTask { $0?.cancel() } }
            for try await _ in stream where isFirst {
                isFirst = false
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await reader.value }
    }

    @Test func `segments are sent in order, and files in chunks`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(repeating: UInt8(ascii: "f"), count: 200_000).write(to: file)
        let body = BodyStream(segments: [
            .init(.data(Data("a".utf8)), length: 1), .init(.data(Data()), length: 0),
            .init(.file(file), length: 200_000), .init(.stream(BodyStream(Counting(asked: Locked(0)))), length: nil),
            .init(.data(Data("z".utf8)), length: 1),
        ])
        #expect(body.length == nil && !body.isReplayable)
        #expect(try await text(body) == "a" + String(repeating: "f", count: 200_000) + "123z")
    }

    @Test(arguments: [true, false]) func `only a replayable body can be sent again`(isReplayable: Bool) {
        let body = BodyStream(isReplayable: isReplayable) { AsyncThrowingStream { $0.finish() } }
        #expect([body.mayBeSent(), body.mayBeSent()] == [true, isReplayable])
    }
}
