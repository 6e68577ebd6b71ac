import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

/// Streamed request bodies.
@Suite(.timeLimit(.minutes(5)), .needsCurl) struct CurlLiveUploadTests {
    private struct Broken: Error {}

    private static let bytes = Data.sample(300_000)

    /// A stream of chunks, followed by an error if there is one.
    private func stream(
        _ bytes: Data = bytes,
        announcing length: Int? = nil,
        isReplayable: Bool = true,
        then error: (any Error)? = nil
    ) -> RequestBody {
        .stream(
            BodyStream(length: length.map(Int64.init), isReplayable: isReplayable) {
                AsyncThrowingStream { continuation in
                    for start in stride(from: 0, to: bytes.count, by: 70_000) {
                        continuation.yield(bytes[start..<min(bytes.count, start + 70_000)])
                    }
                    continuation.finish(throwing: error)
                }
            }
        )
    }

    private func expectWhole(_ body: RequestBody, length: Int?) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let metrics = try await withTransport {
            try await $0.send(server.request(method: .post, body: body)).metrics
        }
        let request = try #require(server.requests.first)
        #expect(request.body == Self.bytes)
        #expect(request.headers.values(for: "Content-Length") == (length.map { [String($0)] } ?? []))
        #expect(request.headers["Transfer-Encoding"] == (length == nil ? "chunked" : nil))
        #expect(!request.headers.contains("Expect"))
        #expect(metrics?.bytesSent == Int64(Self.bytes.count))
    }

    @Test func `a stream of known length is sent with its length`() async throws {
        try await expectWhole(stream(announcing: Self.bytes.count), length: Self.bytes.count)
    }

    @Test func `a stream of unknown length is sent in chunks`() async throws {
        try await expectWhole(stream(), length: nil)
    }

    @Test func `a body made of segments and a stream is sent as one`() async throws {
        let half = Self.bytes.count / 2
        guard case .stream(let rest) = stream(Data(Self.bytes[half...])) else { return }
        let segments: [BodyStream.Segment] = [
            .init(.data(Self.bytes[..<half]), length: Int64(half)), .init(.stream(rest), length: nil),
        ]
        try await expectWhole(.stream(BodyStream(segments: segments)), length: nil)
    }

    @Test func `a missing file beside a stream is named before anything is sent`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        guard case .stream(let rest) = stream() else { return }
        let segments: [BodyStream.Segment] = [
            .init(.stream(rest), length: nil),
            .init(.file(URL(filePath: "/nowhere/at/all")), length: nil, label: "part 2, \"photo\""),
        ]
        let request = server.request(method: .post, body: .stream(BodyStream(segments: segments)))
        let error = try await withTransport { try await $0.failure(of: request) }
        #expect(error.transportFailure == .requestBody)
        #expect(error.reason.contains("photo") == true)
        #expect(server.record.acceptedConnections == 0)
    }

    @Test(arguments: [nil, 2_000]) func `available bytes are sent before the rest arrives`(length: Int?) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let (pieces, source) = AsyncStream.makeStream(of: Data.self)
        let body = BodyStream(pieces, length: length.map(Int64.init))
        try await withTransport { transport in
            let request = server.request(method: .post, body: .stream(body))
            let response = Task { try await transport.send(request) }
            for step in 1...4 {
                source.yield(Data(repeating: 7, count: 500))
                // The last chunk waits for the end of the stream: a longer stream must not look complete.
                if step < 4 { try await server.wait { $0.bodyByteCount == 500 * step } }
            }
            source.finish()
            #expect(try await response.value.statusCode == 200)
        }
        #expect(server.requests.first?.body == Data(repeating: 7, count: 2_000))
    }

    @Test(arguments: [-1, 1, -299_999, 70_000])
    func `a stream of another length than announced never counts as complete`(surplus: Int) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let body = stream(announcing: Self.bytes.count - surplus)
        let error = try await withTransport { try await $0.failure(of: server.request(method: .post, body: body)) }
        #expect(error.transportFailure == .requestBody)
        #expect((error.underlying as? NetworkError)?.reason.contains("announced") == true)
        try await server.wait { $0.openConnections == 0 }
        #expect(!server.requests.contains { $0.isComplete })
    }

    @Test(arguments: [nil, 400_000]) func `a stream that fails ends the request before it is complete`(
        length: Int?
    ) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let body = stream(announcing: length, then: Broken())
        let error = try await withTransport { try await $0.failure(of: server.request(method: .post, body: body)) }
        #expect(error.transportFailure == .requestBody)
        #expect(error.underlying is Broken)
        try await server.wait { $0.openConnections == 0 }
        #expect(!server.requests.contains { $0.isComplete })
    }

    @Test func `canceling a request that waits for the next chunk ends the request and the reading`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let (pieces, source) = AsyncStream.makeStream(of: Data.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        source.onTermination = { _ in end.finish() }
        try await withTransport { transport in
            let request = server.request(method: .post, body: .stream(BodyStream(pieces)))
            let task = Task { try await transport.send(request) }
            source.yield(Data(count: 10))
            try await server.wait { $0.bodyByteCount == 10 }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            for await _ in ends {}
            try await server.wait { $0.openConnections == 0 }
        }
    }

    @Test(arguments: [nil, 1_000], ["keep-alive", "close"])
    func `a response that arrives while the upload waits is the response`(
        length: Int?,
        connection: String
    ) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let barrier = LoopbackBarrier()
        server.enqueue(
            LoopbackResponse.text("no", status: 403).header("Connection", connection).early()
                .held(by: barrier))
        let (pieces, source) = AsyncStream.makeStream(of: Data.self)
        try await withTransport({ $0.connectTimeout = .seconds(900) }) { transport in
            let body = RequestBody.stream(BodyStream(pieces, length: length.map(Int64.init)))
            let response = Task { try await transport.send(server.request(method: .post, body: body)) }
            source.yield(Data(count: 10))
            try await barrier.arrivals(atLeast: 1)
            // By then libcurl has requested more and received nothing.
            await letOthersRun()
            barrier.open()
            #expect(try await response.value.statusCode == 403)
        }
        source.finish()
    }

    @Test(arguments: [LoopbackFault.close, .reset])
    func `a lost connection is noticed while the upload waits`(fault: LoopbackFault) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let (pieces, source) = AsyncStream.makeStream(of: Data.self)
        try await withTransport({ $0.connectTimeout = .seconds(900) }) { transport in
            // Other exchanges' connections open and close in the meantime.
            _ = try await transport.send(server.request())
            server.enqueue(LoopbackResponse.fault(fault, at: .requestBody(afterBytes: 10)))
            let request = server.request(method: .post, body: .stream(BodyStream(pieces)))
            let failure = Task { try await transport.failure(of: request) }
            source.yield(Data(count: 10))
            #expect(try await failure.value.transportFailure == .lostBeforeResponse)
        }
        source.finish()
    }

    @Test(arguments: [true, false])
    func `a response that breaks off while the upload waits is a failure`(
        inChunks: Bool
    ) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let (pieces, source) = AsyncStream.makeStream(of: Data.self)
        let answer = LoopbackResponse.text("hello").early().fault(.close, at: .responseBody(afterBytes: 3))
        server.enqueue(inChunks ? answer.chunked(size: 1) : answer)
        try await withTransport({ $0.connectTimeout = .seconds(900) }) { transport in
            let request = server.request(method: .post, body: .stream(BodyStream(pieces)))
            let failure = Task { try await transport.failure(of: request) }
            source.yield(Data(count: 10))
            let error = try await failure.value
            #expect(error.transportFailure == .lostMidBody)
        }
        source.finish()
    }

    @Test func `a reader is ahead of a slow server by a limited number of bytes`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let barrier = LoopbackBarrier()
        server.enqueue(LoopbackResponse.text("ok").held(by: barrier, at: .requestHead))
        let given = Tally()
        let body = BodyStream(length: nil) {
            let left = Tally(1_000)
            return AsyncThrowingStream {
                guard left.add(-1) >= 0 else { return nil }
                _ = given.add(1)
                return Data(count: 64 << 10)
            }
        }
        try await withTransport { transport in
            let request = server.request(method: .post, body: .stream(body))
            let response = Task { try await transport.send(request) }
            try await barrier.arrivals(atLeast: 1)
            barrier.open()
            _ = try await response.value
        }
        #expect(server.record.bodyByteCount == 1_000 * 64 << 10)
        #expect(given.value == 1_000)
    }

    @Test(arguments: [true, false])
    func `on a closed connection a replayable stream is sent again, and a one-shot stream fails`(
        again: Bool
    ) async throws {
        let server = try LoopbackServer { _ in .text("late") }
        let bytes = Data([1, 2, 3])
        try await withTransport { transport in
            server.enqueue(.text("a"), .fault(.close))
            _ = try await transport.send(server.request())
            let put = server.request(method: .put, body: stream(bytes, isReplayable: again))
            if again {
                #expect(try await transport.send(put).text == "late")
            } else {
                #expect(try await transport.failure(of: put).transportFailure == .lostBeforeResponse)
            }
        }
        #expect(server.requests.dropFirst().map(\.body) == (again ? [bytes, bytes] : [bytes]))
    }
}

/// A number that several tasks can change.
private struct Tally: Sendable {
    private let number: Locked<Int>

    init(_ start: Int = 0) { number = Locked(start) }

    var value: Int { number.withLock { $0 } }

    func add(_ difference: Int) -> Int {
        number.withLock { number in
            number += difference
            return number
        }
    }
}
