import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineStreams
@testable import NetworkEngineTesting

/// Bodies that are read as they arrive, over real sockets.
@Suite(.timeLimit(.minutes(5))) struct StreamTests {
    private func withStream<Value>(
        of response: LoopbackResponse,
        _ change: (inout NetworkConfiguration) -> Void = { _ in },
        _ body: (LoopbackServer, NetworkProvider<FileTarget>, FileTarget) async throws -> Value
    ) async throws -> Value {
        let server = try LoopbackServer { _ in response }
        return try await withTransport { transport in
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            change(&configuration)
            return try await body(
                server, NetworkProvider(configuration: configuration),
                FileTarget(server: server, path: "/stream", method: .get, task: .requestPlain))
        }
    }

    @Test func `the head and the first bytes arrive before the last bytes are sent`() async throws {
        let barrier = LoopbackBarrier()
        let response = LoopbackResponse.text("first,second").held(by: barrier, at: .responseBody(afterBytes: 6))
        try await withStream(of: response) { _, provider, target in
            let stream = try await provider.stream(target)
            #expect(stream.statusCode == 200 && stream.length == 12)
            var iterator = stream.makeAsyncIterator()
            #expect(try await iterator.next() == Data("first,".utf8))
            barrier.open()
            #expect(try await iterator.next() == Data("second".utf8))
            #expect(try await iterator.next() == nil)
        }
    }

    @Test func `a slow reader gets every byte, most of them from disk`() async throws {
        let size = 6 << 20
        let pattern = "0123456789abcde\n"
        let response = LoopbackResponse(body: .repeating(Data(pattern.utf8), count: size))
        try await withStream(of: response) { server, provider, target in
            let stream = try await provider.stream(target)
            // The entire body has been sent before anything is read.
            _ = try await server.wait { $0.finishedRequestCount == 1 && $0.openConnections <= 1 }
            var read = Data()
            for try await chunk in stream { read += chunk }
            #expect(read == Data(String(repeating: pattern, count: size / 16).utf8))
        }
    }

    @Test func `more waiting bytes than streamBacklog end the stream with an error that names the limit`() async throws
    {
        let response = LoopbackResponse.endless().throttled(bytesPerSecond: 20_000_000)
        try await withStream(of: response, { $0.limits.streamBacklog = 1 << 20 }) { server, provider, target in
            let stream = try await provider.stream(target)
            _ = try await server.wait { $0.openConnections == 0 }
            let error = await #expect(throws: NetworkError.self) { for try await _ in stream {} }
            #expect(error?.kind == .limit)
            #expect(error?.reason.contains("streamBacklog") == true)
        }
    }

    @Test(arguments: [LoopbackFault.close, .reset])
    func `a body that breaks off delivers its bytes and then the failure`(fault: LoopbackFault) async throws {
        let response = LoopbackResponse.text("first,second").fault(fault, at: .responseBody(afterBytes: 6))
        try await withStream(of: response) { _, provider, target in
            var iterator = try await provider.stream(target).makeAsyncIterator()
            let first = try await iterator.next()
            #expect(first == Data("first,".utf8) || fault == .reset)
            let error = await #expect(throws: NetworkError.self) { while try await iterator.next() != nil {} }
            #expect(error?.transportFailure == .lostMidBody)
        }
    }

    @Test func `a status that is not accepted is an error with its body, and no stream`() async throws {
        try await withStream(of: .json(#"{"code": 7}"#, status: 404)) { _, provider, target in
            let error = await #expect(throws: NetworkError.self) { try await provider.stream(target) }
            #expect(error?.response?.data == Data(#"{"code": 7}"#.utf8))
        }
    }

    @Test func `releasing a stream ends its exchange`() async throws {
        try await withStream(of: .endless().throttled(bytesPerSecond: 20_000_000)) { server, provider, target in
            do {
                var iterator = try await provider.stream(target).makeAsyncIterator()
                #expect(try await iterator.next() != nil)
            }
            _ = try await server.wait { $0.openConnections == 0 }
        }
    }

    @Test func `a reader that is canceled between two chunks ends the exchange of a stream in scope`()
        async throws
    {
        let barrier = LoopbackBarrier()
        let response = LoopbackResponse.text("first,second").held(by: barrier, at: .responseBody(afterBytes: 6))
        try await withStream(of: response) { server, provider, target in
            let stream = try await provider.stream(target)
            let reading = Task {
                for try await _ in stream { withUnsafeCurrentTask { $0?.cancel() } }
            }
            let error = await #expect(throws: NetworkError.self) { try await reading.value }
            #expect(error?.kind == .cancelled)
            _ = try await server.wait { $0.openConnections == 0 }
            withExtendedLifetime(stream) {}
        }
    }

    @Test func `canceling the reader's task cancels the stream and ends the exchange`() async throws {
        let barrier = LoopbackBarrier()
        let response = LoopbackResponse.text("first,second").held(by: barrier, at: .responseBody(afterBytes: 6))
        try await withStream(of: response) { server, provider, target in
            let stream = try await provider.stream(target)
            let (started, start) = AsyncStream<Void>.makeStream()
            let reading = Task {
                for try await _ in stream { start.finish() }
            }
            for await _ in started {}
            reading.cancel()
            let error = await #expect(throws: NetworkError.self) { try await reading.value }
            #expect(error?.kind == .cancelled)
            _ = try await server.wait { $0.openConnections == 0 }
        }
    }

    @Test func `silence in the body ends the stream at the timeout, which runs only while a reader waits`()
        async throws
    {
        let clock = TestClock()
        let response = LoopbackResponse.text("first,second").fault(.stall, at: .responseBody(afterBytes: 6))
        try await withStream(
            of: response,
            {
                $0.clock = clock; $0.timeout = .seconds(5)
            }
        ) { _, provider, target in
            var pieces = try await provider.stream(target).makeAsyncIterator()
            #expect(clock.pendingSleepers.isEmpty)
            try await pieces.read("first,")
            #expect(clock.pendingSleepers.isEmpty)
            let rest = pieces.reading()
            await clock.untilSleeping()
            clock.advance(by: .seconds(5))
            let error = await #expect(throws: NetworkError.self) { try await rest.value }
            #expect(error?.transportFailure == .timeout(.body))
        }
    }

    @Test(arguments: [true, false])
    func `silence ends a stream at the timeout after its provider is released`(isWaiting: Bool) async throws {
        let clock = TestClock()
        let response = LoopbackResponse.text("first,second").fault(.stall, at: .responseBody(afterBytes: 6))
        let server = try LoopbackServer { _ in response }
        try await withTransport { transport in
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            configuration.clock = clock
            configuration.timeout = .seconds(5)
            var provider: NetworkProvider<FileTarget>? = NetworkProvider(configuration: configuration)
            let target = FileTarget(server: server, path: "/stream", method: .get, task: .requestPlain)
            var pieces = try #require(try await provider?.stream(target)).makeAsyncIterator()
            try await pieces.read("first,")
            if !isWaiting { provider = nil }
            let rest = pieces.reading()
            await clock.untilSleeping()
            provider = nil
            clock.advance(by: .seconds(5))
            let error = await #expect(throws: NetworkError.self) { try await rest.value }
            #expect(error?.transportFailure == .timeout(.body))
            #expect(clock.pendingSleepers.isEmpty)
        }
    }

    @Test func `lines and JSON documents are split from the bytes as they arrive`() async throws {
        let body = "{\"id\": 1}\r\n\n{\"id\": 2}\n{\"id\""
        try await withStream(of: .text(body).dripped(bytes: 3)) { _, provider, target in
            struct Item: Decodable { let id: Int }
            var lines: [String] = []
            for try await line in try await provider.stream(target).lines() { lines.append(line) }
            #expect(lines == ["{\"id\": 1}", "", "{\"id\": 2}", "{\"id\""])
            var items: [Int] = []
            let error = await #expect(throws: NetworkError.self) {
                for try await item in try await provider.stream(target).jsonLines(as: Item.self) {
                    items.append(item.id)
                }
            }
            #expect(items == [1, 2] && error?.kind == .decoding)
        }
    }

    @Test func `a line beyond the limit ends the stream`() async throws {
        try await withStream(of: .endless("x").throttled(bytesPerSecond: 20_000_000)) { _, provider, target in
            let lines = try await provider.stream(target).lines(limit: 10_000)
            let error = await #expect(throws: NetworkError.self) { for try await _ in lines {} }
            #expect(error?.kind == .limit)
        }
    }

    @Test func `a line can have as many bytes as the limit, also in one chunk`() async throws {
        try await withStream(of: .text("12345\r\n1234\n123456\n")) { _, provider, target in
            let lines = try await provider.stream(target).lines(limit: 5)
            var read: [String] = []
            let error = await #expect(throws: NetworkError.self) { for try await line in lines { read.append(line) } }
            #expect(read == ["12345", "1234"] && error?.kind == .limit)
        }
    }

    @Test func `events arrive live`() async throws {
        let barrier = LoopbackBarrier()
        let response = LoopbackResponse.data(Data("data: a\n\ndata: b\n\n".utf8), type: "text/event-stream")
            .held(by: barrier, at: .responseBody(afterBytes: 9))
        try await withStream(of: response) { _, provider, target in
            var events = provider.events(target).makeAsyncIterator()
            let first = try await events.next()
            barrier.open()
            let second = try await events.next()
            #expect(first?.data == "a" && second?.data == "b")
        }
    }
}

extension ResponseStream.Iterator {
    /// Reads until these bytes have arrived: an arrival that a test doesn't wait for would restart the timeout.
    fileprivate mutating func read(_ text: String) async throws {
        var bytes = Data()
        while bytes.count < text.utf8.count { bytes += try #require(try await next()) }
        #expect(bytes == Data(text.utf8))
    }

    /// Reads the next bytes in a task.
    fileprivate func reading() -> Task<Data?, any Error> {
        let pieces = self
        return Task {
            var pieces = pieces
            return try await pieces.next()
        }
    }
}
