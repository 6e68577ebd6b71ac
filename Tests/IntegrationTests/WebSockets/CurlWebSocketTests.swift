import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

/// WebSockets over libcurl, with a server that misbehaves on request.
@Suite(.timeLimit(.minutes(5)), .enabled(if: CurlTransport.isAvailable, "there is no libcurl"))
struct CurlWebSocketTests {
    /// Provides a client with a new transport, and shuts the transport down afterwards.
    private func withClient<Value>(
        of server: LoopbackServer,
        _ change: (inout NetworkConfiguration) -> Void = { _ in },
        _ body: (HTTPClient) async throws -> Value
    ) async throws -> Value {
        try await withClient(of: server.url, change, body)
    }

    private func withClient<Value>(
        of base: URL,
        _ change: (inout NetworkConfiguration) -> Void = { _ in },
        _ body: (HTTPClient) async throws -> Value
    ) async throws -> Value {
        let transport = CurlTransport()
        defer { transport.shutdown() }
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        change(&configuration)
        return try await body(HTTPClient(baseURL: base, configuration: configuration))
    }

    private static let echo: @Sendable (LoopbackRequest) -> LoopbackResponse = { _ in
        .webSocket { socket in
            for try await message in socket.messages { try await socket.send(message) }
        }
    }

    private func bytes(_ opcode: WebSocketFrame.Opcode, _ text: String, from role: WebSocketFrame.Role) -> Data {
        Data(WebSocketFrame.bytes(opcode, text.utf8, from: role))
    }

    // MARK: The handshake and the end

    @Test func `a redirect to the scheme of WebSockets is followed`() async throws {
        let server = try LoopbackServer { request in
            if request.path == "/new" { return Self.echo(request) }
            return .redirect(to: "ws://\(request.headers["Host"] ?? "")/new", status: 307)
        }
        try await withClient(of: server) { client in
            let socket = try await client.webSocket(.get("/old"))
            #expect(socket.response.request.url.path == "/new")
            await socket.close()
        }
    }

    @Test func `the report of a fault arrives, although the socket is released at once`() async throws {
        let codes = Locked<[UInt16?]>([])
        let server = try LoopbackServer { _ in
            .webSocket { socket in
                try await socket.send(.text("too long"))
                var messages = socket.messages.makeAsyncIterator()
                _ = try? await messages.next()
                codes.withLock { $0.append(socket.closeCode) }
            }
        }
        try await withClient(of: server, { $0.webSockets.messageLimit = 3 }) { client in
            for _ in 0..<200 {
                func read() async throws { for try await _ in try await client.webSocket(.get("/")).messages {} }
                await #expect(throws: NetworkError.self) { try await read() }
            }
        }
        while codes.withLock({ $0.count }) < 200 { await Task.yield() }
        #expect(codes.withLock { $0 } == Array(repeating: 1009, count: 200))
    }

    // MARK: Messages

    @Test func `many sockets of one transport send and receive at the same time`() async throws {
        let server = try LoopbackServer(handler: Self.echo)
        try await withClient(of: server) { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let socket = try await client.webSocket(.get("/\(number)"))
                        var messages = socket.messages.makeAsyncIterator()
                        for step in 0..<20 {
                            try await socket.send(.text("\(number) \(step)"))
                            #expect(try await messages.next() == .text("\(number) \(step)"))
                        }
                        await socket.close()
                    }
                }
                try await group.waitForAll()
            }
            try await server.wait { $0.openConnections == 0 }
        }
    }

    @Test func `a large message passes in both directions at the same time`() async throws {
        let server = try LoopbackServer(handler: Self.echo)
        try await withClient(of: server) { client in
            let socket = try await client.webSocket(.get("/"))
            let data = Data.sample(8 << 20)
            async let sent: Void = socket.send(.data(data))
            async let sentAgain: Void = socket.send(.data(data))
            var messages = socket.messages.makeAsyncIterator()
            for _ in 0..<2 { #expect(try await messages.next() == .data(data)) }
            _ = try await (sent, sentAgain)
        }
    }

    @Test func `a reader that does not read slows the server down`() async throws {
        let count = Locked(0)
        let data = Data.sample(1 << 18)
        let server = try LoopbackServer { _ in
            .webSocket { socket in
                for _ in 0..<125 {
                    try await socket.send(.data(data))
                    count.withLock { $0 += 1 }
                }
            }
        }
        try await withClient(
            of: server,
            {
                $0.webSockets.bufferLimit = 1 << 20
                $0.webSockets.compression = nil
            }
        ) { client in
            let socket = try await client.webSocket(.get("/"))
            var messages = socket.messages.makeAsyncIterator()
            _ = try await messages.next()
            // The system's buffers take a few megabytes, but not 31.
            while true {
                let before = count.withLock { $0 }
                await letOthersRun(for: .milliseconds(100))
                if count.withLock({ $0 }) == before { break }
            }
            #expect(count.withLock { $0 } < 100)
            var received = 1
            while try await messages.next() != nil { received += 1 }
            #expect(received == 125)
        }
    }

    @Test func `messages of many senders arrive whole and in order, also if calls are canceled`() async throws {
        let server = try LoopbackServer { _ in
            .webSocket { socket in
                for try await message in socket.messages { try await socket.send(message) }
            }
        }
        try await withClient(of: server) { client in
            let socket = try await client.webSocket(.get("/"))
            let (senders, count) = (8, 200)
            let sending = Task {
                await withTaskGroup { group in
                    for sender in 0..<senders {
                        group.addTask {
                            for number in 0..<count {
                                let size = number % 10 == 0 ? 40_000 : number % 50
                                let message = "\(sender) \(number) " + String(repeating: "x", count: size)
                                // A canceled call may have sent its message.
                                let call = Task { try await socket.send(.text(message)) }
                                if number % 7 == 3 { call.cancel() }
                                _ = await call.result
                            }
                            try? await socket.send(.text("\(sender) \(count) "))
                        }
                    }
                }
            }
            var latest = [Int](repeating: -1, count: senders)
            var messages = socket.messages.makeAsyncIterator()
            while latest.contains(where: { $0 < count }) {
                let text = try #require(try await messages.next()?.text)
                let words = text.split(separator: " ", omittingEmptySubsequences: false)
                let (sender, number) = (try #require(Int(words[0])), try #require(Int(words[1])))
                // Only canceled messages are missing.
                #expect((latest[sender] + 1..<number).allSatisfy { $0 % 7 == 3 })
                latest[sender] = number
                let size = number == count ? 0 : number % 10 == 0 ? 40_000 : number % 50
                #expect(words[2].count == size)
            }
            await sending.value
        }
    }

    // MARK: The end

    @Test func `a released socket ends its connection`() async throws {
        let server = try LoopbackServer(handler: Self.echo)
        try await withClient(of: server) { client in
            _ = try await client.webSocket(.get("/"))
            try await server.wait { $0.acceptedConnections == 1 && $0.openConnections == 0 }
        }
    }

    @Test func `a socket outlives its client and its transport`() async throws {
        let server = try LoopbackServer(handler: Self.echo)
        func open() async throws -> WebSocket {
            var configuration = NetworkConfiguration()
            configuration.transport = CurlTransport()
            return try await HTTPClient(baseURL: server.url, configuration: configuration).webSocket(.get("/"))
        }
        let socket = try await open()
        try await socket.send(.text("still here"))
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .text("still here"))
    }

    @Test func `a transport that shuts down ends its sockets, and opens no more`() async throws {
        let server = try LoopbackServer(handler: Self.echo)
        let transport = CurlTransport()
        try await withClient(of: server, { $0.transport = transport }) { client in
            let socket = try await client.webSocket(.get("/"))
            transport.shutdown()
            var messages = socket.messages.makeAsyncIterator()
            await #expect(throws: NetworkError.self) { _ = try await messages.next() }
            let error = await #expect(throws: NetworkError.self) { try await client.webSocket(.get("/")) }
            #expect(error?.kind == .unsupported)
            try await server.wait { $0.openConnections == 0 }
        }
    }

    @Test(arguments: [LoopbackFault.close, .reset])
    func `a connection that the server drops is lost`(fault: LoopbackFault) async throws {
        let server = try LoopbackServer(handler: Self.echo)
        try await withClient(of: server) { client in
            let socket = try await client.webSocket(.get("/"))
            server.closeConnections(fault)
            var messages = socket.messages.makeAsyncIterator()
            let error = await #expect(throws: NetworkError.self) { _ = try await messages.next() }
            #expect(error?.transportFailure == .lostMidBody)
            #expect(error?.request?.url.path == "/")
        }
    }

    @Test func `a close that the server does not answer ends after the timeout`() async throws {
        let clock = TestClock()
        let server = try LoopbackServer { _ in .webSocket(sending: Data(), then: .keepAlive) }
        try await withClient(
            of: server,
            {
                $0.clock = clock
                $0.webSockets.closeTimeout = .seconds(5)
            },
            { client in
                let socket = try await client.webSocket(.get("/"))
                async let closed: Void = socket.close()
                await clock.untilSleeping()
                clock.advance(by: .seconds(5))
                await closed
                try await server.wait { $0.openConnections == 0 }
            })
    }

    // MARK: The handshake

    @Test func `a refusal has its status, headers and body`() async throws {
        let server = try LoopbackServer { _ in .json(#"{"why": "closed"}"#, status: 403, headers: ["X-Id": "7"]) }
        try await withClient(of: server) { client in
            let error = await #expect(throws: NetworkError.self) { try await client.webSocket(.get("/")) }
            #expect(error?.kind == .status && error?.statusName == .forbidden)
            #expect(error?.response?.headers["X-Id"] == "7")
            #expect(error?.response?.data == Data(#"{"why": "closed"}"#.utf8))
            try await server.wait { $0.openConnections == 0 }
        }
    }

    @Test func `a refusal in chunks is read`() async throws {
        let server = try LoopbackServer { _ in .text("in four chunks", status: 404).chunked(size: 4) }
        try await withClient(of: server) { client in
            let error = await #expect(throws: NetworkError.self) { try await client.webSocket(.get("/")) }
            #expect(error?.response?.data == Data("in four chunks".utf8))
        }
    }

    @Test func `a failing handshake is retried as the policy says`() async throws {
        let server = try LoopbackServer(handler: Self.echo)
        server.enqueue(.status(503), .fault(.reset))
        try await withClient(of: server) { client in
            var policy = RetryPolicy()
            policy.backoff = .constant(.zero)
            let socket = try await client.adding(policy).webSocket(.get("/"))
            try await socket.ping()
        }
        #expect(server.acceptedConnections == 3)
    }

    @Test(arguments: [LoopbackPoint.requestHead, .responseStart, .responseHead(afterBytes: 5)])
    func `silence in the handshake ends at the timeout, and the whole call at the deadline`(
        point: LoopbackPoint
    ) async throws {
        let server = try LoopbackServer()
        for (timeout, deadline) in [(Duration.seconds(10), Duration?.none), (.seconds(60), .seconds(10))] {
            let clock = TestClock()
            let count = server.requests.count + 1
            server.enqueue(LoopbackResponse.webSocket { _ in }.fault(.stall, at: point))
            try await withClient(
                of: server,
                {
                    ($0.clock, $0.timeout, $0.deadline) = (clock, timeout, deadline)
                },
                { client in
                    let call = Task { try await client.webSocket(.get("/")) }
                    try await server.wait { $0.requests.count == count }
                    let time = Task { while !Task.isCancelled { await clock.advanceToNextSleeper() } }
                    defer { time.cancel() }
                    let error = await #expect(throws: NetworkError.self) { try await call.value }
                    #expect(error?.kind == .timeout)
                    try await server.wait { $0.openConnections == 0 }
                })
        }
    }

    @Test func `handshakes that are canceled at different times end once and leave no connection`() async throws {
        let server = try LoopbackServer(handler: Self.echo)
        var random = SeededGenerator(seed: 21)
        let waits = (0..<300).map { _ in Int.random(in: 0..<3_000, using: &random) }
        try await withClient(of: server) { client in
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for wait in waits {
                    group.addTask {
                        let task = Task { try await client.webSocket(.get("/")) }
                        for _ in 0..<wait { await Task.yield() }
                        task.cancel()
                        switch await task.result {
                        case .success: return true
                        case .failure(let error): return (error as? NetworkError)?.kind == .cancelled
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count == 300 && outcomes.allSatisfy { $0 })
            try await server.wait { $0.openConnections == 0 }
        }
    }

    @Test func `sockets in use that are canceled and closed at different times all end`() async throws {
        let server = try LoopbackServer(handler: Self.echo)
        var random = SeededGenerator(seed: 22)
        let count = TestLength.count(50, sanitized: 200, gate: 200, whole: 200)
        let waits = (0..<count).map { _ in (Int.random(in: 0..<500, using: &random), Int.random(in: 0..<3)) }
        try await withClient(of: server) { client in
            await withTaskGroup(of: Void.self) { group in
                for (wait, way) in waits {
                    group.addTask {
                        let task = Task {
                            let socket = try await client.webSocket(.get("/"))
                            var messages = socket.messages.makeAsyncIterator()
                            for step in 0..<50 {
                                try await socket.send(.text("\(step)"))
                                #expect(try await messages.next() == .text("\(step)"))
                                if way == 1, step == wait % 50 { return await socket.close() }
                            }
                        }
                        for _ in 0..<wait * 10 { await Task.yield() }
                        if way == 0 { task.cancel() }
                        _ = await task.result
                    }
                }
            }
            try await server.wait { $0.openConnections == 0 }
        }
    }

    @Test func `a port that nobody listens on is a failed connection`() async throws {
        let port = ClosedPort()
        try await withClient(of: try #require(port.url), { $0.attemptLimit = 1 }) { client in
            let error = await #expect(throws: NetworkError.self) { try await client.webSocket(.get("/")) }
            #expect(error?.transportFailure == .connect)
        }
    }

    // MARK: Hostile servers

    @Test func `a response that does not answer the key is refused`() async throws {
        let server = try LoopbackServer { _ in
            .webSocket(headers: ["Sec-WebSocket-Accept": "AAAAAAAAAAAAAAAAAAAAAAAAAAA="]) { _ in }
        }
        try await withClient(of: server) { client in
            let error = await #expect(throws: NetworkError.self) { try await client.webSocket(.get("/")) }
            #expect(error?.kind == .protocolViolation)
        }
    }

    @Test func `a frame that breaks a rule ends the socket with the message before it delivered`() async throws {
        let frames = bytes(.text, "fine", from: .server) + bytes(.text, "masked", from: .client)
        let server = try LoopbackServer { _ in .webSocket(sending: frames, then: .keepAlive) }
        try await withClient(of: server) { client in
            let socket = try await client.webSocket(.get("/"))
            var messages = socket.messages.makeAsyncIterator()
            #expect(try await messages.next() == .text("fine"))
            let error = await #expect(throws: NetworkError.self) { _ = try await messages.next() }
            #expect(error?.kind == .protocolViolation)
            #expect(socket.closeCode == 1002)
            try await server.wait { $0.openConnections == 0 }
        }
    }

    @Test func `what a server said before it closed the connection is read, although a send fails`() async throws {
        var frames = Data()
        let message = String(repeating: "m", count: 30_000)
        for _ in 0..<3 { frames += bytes(.text, message, from: .server) }
        frames += Data(WebSocketFrame.bytes(WebSocketClose(code: 4401), from: .server))
        let server = try LoopbackServer { [frames] _ in
            .webSocket(sending: frames, then: .close)
        }
        // The connection is read only up to the first message.
        try await withClient(of: server, { $0.webSockets.bufferLimit = 1 }) { client in
            let socket = try await client.webSocket(.get("/"))
            try await server.wait { $0.acceptedConnections == 1 && $0.openConnections == 0 }
            await #expect(throws: NetworkError.self) { while true { try await socket.send(.text("more")) } }
            var messages = socket.messages.makeAsyncIterator()
            #expect(try await messages.next() == .text(message))
            await #expect(throws: NetworkError.self) { while try await messages.next() != nil {} }
            // Without the close frame, the code would be unknown.
            #expect(socket.closeCode == 4401)
        }
    }

    @Test func `an observer that keeps events does not keep the connection`() async throws {
        let server = try LoopbackServer(handler: Self.echo)
        let events = Locked<[NetworkEvent]>([])
        struct Keeper: NetworkObserver {
            let events: Locked<[NetworkEvent]>
            func handle(_ event: NetworkEvent) { events.withLock { $0.append(event) } }
        }
        try await withClient(of: server, { $0.observers = [Keeper(events: events)] }) { client in
            _ = try await client.webSocket(.get("/"))
            try await server.wait { $0.acceptedConnections == 1 && $0.openConnections == 0 }
        }
        while events.withLock(\.isEmpty), !Task.isCancelled { await Task.yield() }
        #expect(events.withLock { !$0.isEmpty })
    }

    @Test func `an interceptor cannot turn the handshake into another request`() async throws {
        struct Poster: RequestInterceptor {
            func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
                HTTPRequest(method: .post, url: request.url, body: .data(Data("x".utf8)))
            }
        }
        let server = try LoopbackServer(handler: Self.echo)
        try await withClient(of: server) { client in
            let error = await #expect(throws: NetworkError.self) {
                try await client.adding(Poster()).webSocket(.get("/"))
            }
            #expect(error?.kind == .invalidRequest)
        }
        #expect(server.acceptedConnections == 0)
    }

    @Test func `a message above the limit ends the socket before its bytes arrive`() async throws {
        let header = Data([0x82, 127, 0, 0, 0, 1, 0, 0, 0, 0])
        let server = try LoopbackServer { _ in .webSocket(sending: header, then: .keepAlive) }
        try await withClient(of: server, { $0.webSockets.messageLimit = 1 << 20 }) { client in
            let socket = try await client.webSocket(.get("/"))
            var messages = socket.messages.makeAsyncIterator()
            let error = await #expect(throws: NetworkError.self) { _ = try await messages.next() }
            #expect(error?.kind == .limit)
            #expect(socket.closeCode == 1009)
        }
    }

    @Test func `endless pings are answered without growing memory, and messages between them arrive`() async throws {
        let ping = bytes(.ping, String(repeating: "p", count: 125), from: .server)
        var frames = Data()
        for _ in 0..<20_000 { frames += ping }
        frames += bytes(.text, "last", from: .server)
        let server = try LoopbackServer { [frames] _ in .webSocket(sending: frames, then: .keepAlive) }
        try await withClient(of: server) { client in
            let socket = try await client.webSocket(.get("/"))
            var messages = socket.messages.makeAsyncIterator()
            #expect(try await messages.next() == .text("last"))
        }
    }
}
