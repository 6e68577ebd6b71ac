import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineStreams
@testable import NetworkEngineTesting

/// Duplex calls within the process.
@Suite(.timeLimit(.minutes(5))) struct MockDuplexTests {
    private struct Broken: Error {}

    private static let echo = MockAnswer.duplex { exchange in
        var count = 0
        for try await piece in exchange.received {
            count += piece.count
            try await exchange.send(piece)
        }
        try await exchange.finish(trailers: ["X-Count": "\(count)"])
    }

    private func client(_ answer: MockAnswer) -> HTTPClient { HTTPClient(MockTransport(answer)) }

    private func text(of stream: ResponseStream) async throws -> String {
        var bytes = Data()
        for try await piece in stream { bytes += piece }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: Questions and answers

    @Test func `each answer arrives before the next question is written`() async throws {
        let (body, writer) = BodyStream.makeStream()
        let answers = try await client(Self.echo).stream(.post("/echo"), sending: body)
        #expect(answers.statusCode == 200 && answers.length == nil && answers.trailers == nil)
        var pieces = answers.makeAsyncIterator()
        for number in 0..<200 {
            try await writer.write(Data("\(number)".utf8))
            #expect(try await pieces.next() == Data("\(number)".utf8))
        }
        writer.finish()
        #expect(try await pieces.next() == nil)
        #expect(answers.trailers == ["X-Count": "490"])
    }

    @Test func `many megabytes go both ways at the same time`() async throws {
        let piece = Data.sample(50_000)
        let (body, writer) = BodyStream.makeStream()
        let writing = Task {
            for _ in 0..<200 { try await writer.write(piece) }
            writer.finish()
        }
        var received = Data()
        for try await part in try await client(Self.echo).stream(.post("/"), sending: body) { received += part }
        try await writing.value
        try #require(received.count == 200 * piece.count)
        let places = stride(from: 0, to: received.count, by: piece.count)
        #expect(places.allSatisfy { received[$0..<$0 + piece.count] == piece })
    }

    @Test func `the closure sees the head of the request, and the client that of the response`() async throws {
        let answer = MockAnswer.duplex(status: 201, headers: ["X-A": "1"]) { exchange in
            let request = exchange.request
            try await exchange.send(Data("\(request.method) \(request.target) ".utf8))
            try await exchange.send(Data("\(request.headers["Host"] ?? "-") \(request.headers["X-B"] ?? "-")".utf8))
        }
        let endpoint = Endpoint.get("/a b?c=d", headers: ["X-B": "2"])
        let stream = try await client(answer.header("X-C", "3")).stream(endpoint)
        #expect(stream.statusCode == 201 && stream.headers["X-A"] == "1" && stream.headers["X-C"] == "3")
        #expect(try await text(of: stream) == "GET /v1/a%20b?c=d api.test 2")
    }

    @Test(
        arguments: [("http://[::1]:8080", "[::1]:8080"), ("http://[::1]", "[::1]"), ("http://a.test:1", "a.test:1")])
    func `the host of a request is as a connection would carry it`(address: String, host: String) async throws {
        let seen = Locked<String?>(nil)
        let mock = MockTransport(.duplex { exchange in seen.withLock { $0 = exchange.request.headers["Host"] } })
        _ = try await HTTPClient(mock, base: #require(URL(string: address))).send(.get("/"))
        #expect(seen.withLock { $0 } == host)
    }

    @Test func `a piece after the end of the response is an error`() async throws {
        let kinds = Locked<[NetworkError.Kind]>([])
        let body = { @Sendable @concurrent (exchange: LoopbackDuplex) async throws in
            try await exchange.send(Data("all".utf8))
            try await exchange.finish()
            do throws(NetworkError) {
                try await exchange.send(Data("more".utf8))
            } catch {
                kinds.withLock { $0.append(error.kind) }
            }
        }
        let server = try LoopbackServer()
        server.enqueue(.duplex(body))
        #expect(try await HTTPClient(baseURL: server.url).string(.get("/")) == "all")
        #expect(try await client(.duplex(body)).string(.get("/")) == "all")
        #expect(kinds.withLock { $0 } == [.invalidRequest, .invalidRequest])
    }

    @Test func `a body in memory and no body at all are received, too`() async throws {
        let answer = Self.echo.repeating()
        #expect(try await text(of: client(answer).stream(.post("/").body(Data("abc".utf8)))) == "abc")
        #expect(try await text(of: client(answer).stream(.get("/"))) == "")
    }

    @Test func `a file, and a stream that can be read once, are received, too`() async throws {
        try await withTemporaryFile { file in
            try Data("abc".utf8).write(to: file)
            let pieces = AsyncStream<Data> { source in
                source.yield(Data("abc".utf8))
                source.finish()
            }
            for body in [RequestBody.file(file), .stream(BodyStream(pieces))] {
                #expect(try await client(Self.echo).send(.post("/").body(body)).data == Data("abc".utf8))
            }
        }
    }

    @Test func `a response in memory is complete when the closure returns`() async throws {
        let response = try await client(Self.echo).send(.post("/").body(Data("abc".utf8)))
        #expect(response.data == Data("abc".utf8) && response.trailers == ["X-Count": "3"])
    }

    @Test func `a status that is no success is an error with its body`() async throws {
        let answer = MockAnswer.duplex(status: 500) { try await $0.send(Data("no".utf8)) }
        let (body, _) = BodyStream.makeStream()
        let error = await #expect(throws: NetworkError.self) {
            _ = try await client(answer).stream(.post("/"), sending: body)
        }
        #expect(error?.statusCode == 500 && error?.response?.data == Data("no".utf8))
    }

    @Test func `a loopback server and a mock take the same closure`() async throws {
        let upper: @Sendable @concurrent (LoopbackDuplex) async throws -> Void = { exchange in
            for try await piece in exchange.received {
                try await exchange.send(Data(String(decoding: piece, as: UTF8.self).uppercased().utf8))
            }
        }
        let endpoint = Endpoint.post("/").body(Data("abc".utf8))
        #expect(try await client(.duplex(upper)).send(endpoint).data == Data("ABC".utf8))
        let server = try LoopbackServer()
        server.enqueue(.duplex(upper))
        #expect(try await HTTPClient(baseURL: server.url).send(endpoint).data == Data("ABC".utf8))
    }

    // MARK: Back-pressure

    @Test func `a closure that does not read slows the writer down`() async throws {
        let mayRead = OneShot<Void>()
        let answer = MockAnswer.duplex { exchange in
            try await mayRead.wait()
            for try await _ in exchange.received {}
        }
        let (body, writer) = BodyStream.makeStream(limit: 10)
        let answers = try await client(answer).stream(.post("/"), sending: body)
        let writing = Task {
            for _ in 0..<10 { try await writer.write(Data(count: 8)) }
            writer.finish()
        }
        while !writer.isWaiting { await Task.yield() }
        mayRead.settle(())
        try await writing.value
        #expect(try await text(of: answers) == "")
    }

    @Test func `a reader that does not read slows the closure down`() async throws {
        let (sent, sender) = (Locked(0), OneShot<LoopbackDuplex>())
        let answer = MockAnswer.duplex { exchange in
            sender.settle(exchange)
            for _ in 0..<1_000 {
                try await exchange.send(Data(count: 10_000))
                sent.withLock { $0 += 10_000 }
            }
        }
        let answers = try await client(answer).stream(.get("/"))
        let exchange = try await sender.wait()
        while !exchange.isSenderWaiting { await Task.yield() }
        #expect(sent.withLock { $0 } < 1 << 20)
        var count = 0
        for try await piece in answers { count += piece.count }
        #expect(count == 10_000_000)
    }

    @Test func `a piece that is larger than the buffer waits in parts, and arrives whole`() async throws {
        let large = Data.sample(3_000_000)
        let answer = MockAnswer.duplex { try await $0.send(large) }
        var received = Data()
        for try await piece in try await client(answer).stream(.get("/")) { received += piece }
        #expect(received == large)
    }

    // MARK: Ends

    @Test func `a closure that throws loses the response inside its body`() async throws {
        let answer = MockAnswer.duplex { exchange in
            try await exchange.send(Data("half".utf8))
            throw Broken()
        }
        var pieces = try await client(answer).stream(.get("/")).makeAsyncIterator()
        #expect(try await pieces.next() == Data("half".utf8))
        let rest = pieces
        let error = await #expect(throws: NetworkError.self) {
            var rest = rest
            _ = try await rest.next()
        }
        #expect(error?.transportFailure == .lostMidBody && error?.underlying is Broken)
        let other = await #expect(throws: NetworkError.self) { try await client(answer).send(.get("/")) }
        #expect(other?.transportFailure == .lostMidBody && other?.response?.statusCode == 200)
    }

    @Test func `an end of the response ends the call, and the writer learns it`() async throws {
        let ended = OneShot<Bool>()
        let answer = MockAnswer.duplex { exchange in
            try await exchange.send(Data("enough".utf8))
            try await exchange.finish()
            do {
                for try await _ in exchange.received {}
                ended.settle(false)
            } catch {
                ended.settle(!Task.isCancelled)
            }
        }
        let (body, writer) = BodyStream.makeStream()
        try await writer.write(Data("question".utf8))
        #expect(try await text(of: client(answer).stream(.post("/"), sending: body)) == "enough")
        // The closure waits for a chunk that is never written.
        #expect(try await ended.wait())
        let error = await #expect(throws: NetworkError.self) {
            while true { try await writer.write(Data(count: 1 << 16)) }
        }
        #expect(error?.kind == .transport)
    }

    @Test func `an error of the writer fails the response, and the closure sees a lost connection`() async throws {
        let seen = OneShot<TransportFailure?>()
        let answer = MockAnswer.duplex { exchange in
            do {
                for try await piece in exchange.received { try await exchange.send(piece) }
            } catch {
                seen.settle((error as? NetworkError)?.transportFailure)
            }
        }
        let (body, writer) = BodyStream.makeStream()
        try await writer.write(Data("a".utf8))
        var answers = try await client(answer).stream(.post("/"), sending: body).makeAsyncIterator()
        #expect(try await answers.next() == Data("a".utf8))
        writer.fail(Broken())
        let error = await #expect(throws: NetworkError.self) { while try await answers.next() != nil {} }
        #expect(error?.transportFailure == .requestBody && error?.underlying is Broken)
        #expect(try await seen.wait() == .lostMidBody)
    }

    @Test(arguments: [true, false], [true, false])
    func `leaving the response cancels the closure`(isRead: Bool, isFinished: Bool) async throws {
        let (started, ended) = (OneShot<Void>(), OneShot<Bool>())
        let answer = MockAnswer.duplex { exchange in
            try await exchange.send(Data("a".utf8))
            if isFinished { try await exchange.finish() }
            started.settle(())
            do { for try await _ in exchange.received {} } catch {}
            ended.settle(Task.isCancelled)
        }
        let (body, writer) = BodyStream.makeStream()
        do {
            let stream = try await client(answer).stream(.post("/"), sending: body)
            try await started.wait()
            if isRead { for try await _ in stream { break } }
        }
        #expect(try await ended.wait())
        await #expect(throws: NetworkError.self) { while true { try await writer.write(Data(count: 1 << 16)) } }
    }

    @Test func `an endless body in memory ends at its limit`() async throws {
        let answer = MockAnswer.duplex { exchange in
            while true { try await exchange.send(Data(count: 1 << 16)) }
        }
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.limits.bodyInMemory) = (MockTransport(answer), 1 << 20)
        let client = HTTPClient(baseURL: try #require(URL(string: "http://localhost")), configuration: configuration)
        let error = await #expect(throws: NetworkError.self) { try await client.send(.get("/")) }
        #expect(error?.kind == .limit)
    }

    @Test func `canceling a caller cancels the closure, also while it sends`() async throws {
        let (sender, ended) = (OneShot<LoopbackDuplex>(), OneShot<Bool>())
        let answer = MockAnswer.duplex { exchange in
            sender.settle(exchange)
            do { while true { try await exchange.send(Data(count: 1 << 16)) } } catch {}
            ended.settle(Task.isCancelled)
        }
        let client = client(answer)
        let answered = OneShot<Void>()
        let call = Task {
            let stream = try await client.stream(.get("/"))
            answered.settle(())
            try await OneShot<Void>().wait()
            withExtendedLifetime(stream) {}
        }
        try await answered.wait()
        let exchange = try await sender.wait()
        while !exchange.isSenderWaiting { await Task.yield() }
        call.cancel()
        #expect(try await ended.wait())
    }

    @Test func `canceling a call whose response is in memory cancels the closure`() async throws {
        let (started, ended) = (OneShot<Void>(), OneShot<Bool>())
        let answer = MockAnswer.duplex { _ in
            started.settle(())
            do { try await OneShot<Void>().wait() } catch {}
            ended.settle(Task.isCancelled)
        }
        let client = client(answer)
        let call = Task { try await client.send(.get("/")) }
        try await started.wait()
        call.cancel()
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.kind == .cancelled)
        #expect(try await ended.wait())
    }

    @Test func `the timeout ends a response in memory that does not arrive`() async throws {
        let clock = TestClock()
        let answer = MockAnswer.duplex { _ in try await OneShot<Void>().wait() }
        let client = HTTPClient(MockTransport(answer)) { ($0.clock, $0.timeout) = (clock, .seconds(5)) }
        let call = Task { try await client.send(.get("/")) }
        #expect(await clock.advanceToNextSleeper() == .seconds(5))
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.kind == .timeout)
    }

    @Test func `a call that is canceled at any moment ends once, and its closure with it`() async throws {
        let open = Locked(0)
        let answer = MockAnswer.duplex { exchange in
            open.withLock { $0 += 1 }
            defer { open.withLock { $0 -= 1 } }
            for try await piece in exchange.received { try await exchange.send(piece) }
        }
        let client = client(answer.repeating())
        await withTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    let (body, writer) = BodyStream.makeStream()
                    let reading = Task {
                        var count = 0
                        for try await piece in try await client.stream(.post("/"), sending: body) {
                            count += piece.count
                        }
                        return count
                    }
                    let writing = Task {
                        for _ in 0..<20 { try await writer.write(Data(count: 5_000)) }
                        writer.finish()
                    }
                    for _ in 0..<number % 40 { await Task.yield() }
                    (number % 3 == 0 ? nil : number % 3 == 1 ? reading.cancel : writing.cancel)?()
                    let written = await writing.result
                    if case .failure(let error) = written { writer.fail(error) }
                    let read = await reading.result
                    if case .success = written, case .success(let count) = read { #expect(count == 100_000) }
                    if number % 3 == 0 { #expect((try? read.get()) == 100_000, "\(read)") }
                }
            }
        }
        while open.withLock({ $0 }) > 0 { await Task.yield() }
    }
}
