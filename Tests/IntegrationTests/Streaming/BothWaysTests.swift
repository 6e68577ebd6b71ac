import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineStreams
@testable import NetworkEngineTesting

/// Calls that send and receive simultaneously, over real sockets.
@Suite(.timeLimit(.minutes(5)), .enabled(if: CurlTransport.isAvailable, "there is no libcurl here that can be used"))
struct BothWaysTests {
    private struct Broken: Error {}

    private func client(
        _ server: LoopbackServer,
        interceptors: [any RequestInterceptor] = [],
        _ change: (inout NetworkConfiguration) -> Void = { _ in }
    ) -> HTTPClient {
        var configuration = NetworkConfiguration()
        configuration.transport = CurlTransport()
        change(&configuration)
        return HTTPClient(baseURL: server.url, interceptors: interceptors, configuration: configuration)
    }

    /// Serves every request with a closure that gets both bodies.
    private func server(
        headers: HTTPHeaders = [:],
        _ serve: @escaping @Sendable @concurrent (LoopbackDuplex) async throws -> Void
    ) throws -> LoopbackServer {
        try LoopbackServer(early: { _ in .duplex(headers: headers, serve) }, handler: { _ in .status(500) })
    }

    /// Echoes every chunk. With `Connection: close`, no call starts on a connection that the server is closing.
    private func echo(headers: HTTPHeaders = [:]) throws -> LoopbackServer {
        try server(headers: headers) { exchange in
            var count = 0
            for try await piece in exchange.received {
                count += piece.count
                try await exchange.send(piece)
            }
            try await exchange.finish(trailers: ["X-Count": "\(count)"])
        }
    }

    @Test func `each answer arrives before the next question is written`() async throws {
        let server = try echo()
        let (body, writer) = BodyStream.makeStream()
        try await writer.write(Data("0".utf8))
        let answers = try await client(server).stream(.post("/echo"), sending: body)
        #expect(answers.statusCode == 200 && answers.length == nil)
        var pieces = answers.makeAsyncIterator()
        for number in 0..<200 {
            #expect(try await pieces.next() == Data("\(number)".utf8))
            if number < 199 { try await writer.write(Data("\(number + 1)".utf8)) }
        }
        writer.finish()
        #expect(try await pieces.next() == nil)
        #expect(answers.trailers == ["X-Count": "490"])
        #expect(server.record.acceptedConnections == 1)
        let request = try #require(server.requests.first)
        #expect(request.headers["Transfer-Encoding"] == "chunked" && !request.headers.contains("Expect"))
    }

    @Test func `many megabytes go both ways at the same time`() async throws {
        let server = try echo()
        let piece = Data.sample(50_000)
        let (body, writer) = BodyStream.makeStream()
        let writing = Task {
            for _ in 0..<400 { try await writer.write(piece) }
            writer.finish()
        }
        let answers = try await client(server).stream(.post("/echo"), sending: body)
        var received = Data()
        for try await part in answers { received += part }
        try await writing.value
        try #require(received.count == 400 * piece.count)
        let places = stride(from: 0, to: received.count, by: piece.count)
        #expect(places.allSatisfy { received[$0..<$0 + piece.count] == piece })
    }

    @Test func `a server that does not read slows the writer down`() async throws {
        let (started, mayRead) = (OneShot<Void>(), OneShot<Void>())
        let server = try LoopbackServer()
        server.enqueue(
            .duplex { exchange in
                try await exchange.send(Data("go".utf8))
                started.settle(())
                try await mayRead.wait()
                for try await _ in exchange.received {}
            })
        let (body, writer) = BodyStream.makeStream()
        let written = Locked(0)
        let writing = Task {
            let piece = Data(count: 1 << 16)
            for _ in 0..<1_000 {
                try await writer.write(piece)
                written.withLock { $0 += piece.count }
            }
            writer.finish()
        }
        let answers = try await client(server).stream(.post("/"), sending: body)
        try await started.wait()
        // The buffers of both systems take a few megabytes, and then fill up.
        var (last, same) = (-1, 0)
        while same < 50 {
            let now = written.withLock { $0 }
            (same, last) = now == last ? (same + 1, now) : (0, now)
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(last < 20 << 20)
        mayRead.settle(())
        for try await _ in answers {}
        try await writing.value
    }

    @Test func `a reader that does not read slows the server down`() async throws {
        let sent = Locked(0)
        let server = try LoopbackServer()
        server.enqueue(
            .duplex { exchange in
                for try await piece in exchange.received {
                    for _ in 0..<1_000 {
                        try await exchange.send(Data(count: 1 << 16))
                        sent.withLock { $0 += 1 << 16 }
                    }
                    if piece.isEmpty { break }
                }
            })
        let (body, writer) = BodyStream.makeStream()
        try await writer.write(Data("go".utf8))
        let answers = try await client(server).stream(.post("/"), sending: body)
        var (last, same) = (-1, 0)
        while same < 50 {
            let now = sent.withLock { $0 }
            (same, last) = now == last && now > 0 ? (same + 1, now) : (0, now)
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(last < 20 << 20)
        writer.finish()
        var count = 0
        for try await piece in answers { count += piece.count }
        #expect(count == 1_000 << 16)
    }

    @Test(arguments: [200, 500]) func `a server that answers early ends the call, and the writer learns it`(status: Int)
        async throws
    {
        let server = try LoopbackServer()
        server.enqueue(
            .duplex(status: status) { exchange in
                try await exchange.send(Data("enough".utf8))
                try await exchange.finish()
                for try await _ in exchange.received {}
            })
        let (body, writer) = BodyStream.makeStream()
        try await writer.write(Data("question".utf8))
        do {
            let answers = try await client(server).stream(.post("/"), sending: body)
            var text = Data()
            for try await piece in answers { text += piece }
            #expect(status == 200 && text == Data("enough".utf8))
        } catch {
            #expect(status == 500 && error.statusCode == 500 && error.response?.data == Data("enough".utf8))
        }
        let error = await #expect(throws: NetworkError.self) {
            while true { try await writer.write(Data(count: 1 << 16)) }
        }
        #expect(error?.kind == .transport)
        _ = try await server.wait { $0.openConnections == 0 }
    }

    @Test(arguments: [true, false])
    func `a server that says that it closes, and does so at once, has ended the response if it is whole`(
        isWhole: Bool
    ) async throws {
        let server = try LoopbackServer()
        server.enqueue(
            .duplex(headers: ["Connection": "close"]) { exchange in
                try await exchange.send(Data("enough".utf8))
                if !isWhole { throw Broken() }
            })
        let (body, writer) = BodyStream.makeStream()
        try await writer.write(Data("question".utf8))
        var text = Data()
        do {
            for try await piece in try await client(server).stream(.post("/"), sending: body) { text += piece }
            #expect(isWhole && text == Data("enough".utf8))
        } catch {
            #expect(!isWhole && error.transportFailure == .lostMidBody, "\(error)")
        }
        await #expect(throws: NetworkError.self) { while true { try await writer.write(Data(count: 1 << 16)) } }
    }

    @Test(arguments: [LoopbackFault.close, .reset])
    func `a connection that is lost ends both directions`(fault: LoopbackFault) async throws {
        let server = try LoopbackServer()
        server.enqueue(
            .duplex { exchange in
                for try await piece in exchange.received { try await exchange.send(piece) }
            })
        let (body, writer) = BodyStream.makeStream()
        try await writer.write(Data("a".utf8))
        var answers = try await client(server).stream(.post("/"), sending: body).makeAsyncIterator()
        #expect(try await answers.next() == Data("a".utf8))
        server.closeConnections(fault)
        let lost = await #expect(throws: NetworkError.self) { while try await answers.next() != nil {} }
        #expect(lost?.transportFailure == .lostMidBody)
        let error = await #expect(throws: NetworkError.self) {
            while true { try await writer.write(Data(count: 1 << 16)) }
        }
        #expect(error?.kind == .transport)
    }

    @Test func `an error of the writer fails the response`() async throws {
        let server = try echo()
        let (body, writer) = BodyStream.makeStream()
        try await writer.write(Data("a".utf8))
        var answers = try await client(server).stream(.post("/"), sending: body).makeAsyncIterator()
        #expect(try await answers.next() == Data("a".utf8))
        writer.fail(Broken())
        let error = await #expect(throws: NetworkError.self) { while try await answers.next() != nil {} }
        #expect(error?.transportFailure == .requestBody && error?.underlying is Broken)
        _ = try await server.wait { $0.openConnections == 0 }
    }

    @Test func `a writer that is released without an end fails the response`() async throws {
        let server = try echo()
        var (body, writer): (BodyStream, BodyWriter?) = BodyStream.makeStream()
        try await writer?.write(Data("a".utf8))
        var answers = try await client(server).stream(.post("/"), sending: body).makeAsyncIterator()
        #expect(try await answers.next() == Data("a".utf8))
        writer = nil
        let error = await #expect(throws: NetworkError.self) { while try await answers.next() != nil {} }
        #expect(error?.transportFailure == .requestBody)
        body = BodyStream.makeStream().stream
    }

    @Test func `leaving the response ends the call and the writer`() async throws {
        let server = try echo()
        let (body, writer) = BodyStream.makeStream()
        try await writer.write(Data("a".utf8))
        let client = client(server)
        for try await piece in try await client.stream(.post("/"), sending: body) {
            #expect(piece == Data("a".utf8))
            break
        }
        _ = try await server.wait { $0.openConnections == 0 }
        await #expect(throws: NetworkError.self) { while true { try await writer.write(Data(count: 1 << 16)) } }
    }

    @Test func `a call that is canceled at any moment ends once, and leaves no connection`() async throws {
        let server = try echo(headers: ["Connection": "close"])
        let client = client(server)
        try await withThrowingTaskGroup(of: Void.self) { group in
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
                    // A random delay, not a wait for an event.
                    try await Task.sleep(for: .microseconds(number * 97 % 20_000))
                    (number % 3 == 0 ? nil : number % 3 == 1 ? reading.cancel : writing.cancel)?()
                    let written = await writing.result
                    if case .failure(let error) = written { writer.fail(error) }
                    let read = await reading.result
                    if case .success = written, case .success(let count) = read { #expect(count == 100_000) }
                    if number % 3 == 0 { #expect((try? read.get()) == 100_000, "\(read)") }
                }
            }
            try await group.waitForAll()
        }
        _ = try await server.wait { $0.openConnections == 0 || $0.openConnections <= 6 }
    }

    @Test func `URLSession refuses such a call before any I/O`() async throws {
        let server = try echo()
        let (body, writer) = BodyStream.makeStream()
        try await writer.write(Data("a".utf8))
        let client = HTTPClient(baseURL: server.url)
        let error = await #expect(throws: NetworkError.self) {
            _ = try await client.stream(.post("/"), sending: body)
        }
        #expect(error?.kind == .unsupported)
        #expect(server.record.acceptedConnections == 0)
        await #expect(throws: NetworkError.self) { while true { try await writer.write(Data(count: 1 << 16)) } }
    }

    @Test func `silence is no failure, unless a limit is given`() async throws {
        let server = try server { exchange in
            try await exchange.send(Data("a".utf8))
            for try await _ in exchange.received {}
        }
        let clock = TestClock()
        for limit in [Duration?.none, .seconds(2)] {
            // The server closes each connection after its exchange.
            let client = client(server) {
                $0.timeout = .seconds(5)
                $0.clock = clock
            }
            let (body, writer) = BodyStream.makeStream()
            var answers = try await client.stream(.post("/"), sending: body, idleTimeout: limit).makeAsyncIterator()
            #expect(try await answers.next() == Data("a".utf8))
            let rest = answers
            let reading = Task {
                var rest = rest
                return try await rest.next()
            }
            if limit != nil {
                await clock.untilSleeping(within: .seconds(2))
                clock.advance(by: .seconds(2))
                await #expect(throws: NetworkError.self) { try await reading.value }
            } else {
                clock.advance(by: .seconds(3_600))
                writer.finish()
                #expect(try await reading.value == nil)
            }
        }
    }

    @Test func `a body in a coding is not made of a body that is written meanwhile`() async throws {
        let server = try echo()
        var compression = RequestCompression(.gzip)
        compression.minimumLength = 0
        let client = client(server, interceptors: [compression])
        let (body, writer) = BodyStream.makeStream()
        try await writer.write(Data("question".utf8))
        var answers = try await client.stream(.post("/"), sending: body).makeAsyncIterator()
        #expect(try await answers.next() == Data("question".utf8))
        writer.finish()
        #expect(try await answers.next() == nil)
        #expect(server.requests.first?.headers.contains("Content-Encoding") == false)
    }
}
