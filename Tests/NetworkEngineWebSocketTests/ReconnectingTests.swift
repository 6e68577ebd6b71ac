import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

@Suite(.timeLimit(.minutes(10))) struct ReconnectingTests {
    private typealias Rig = ReconnectingRig

    private func text(_ state: WebSocketState?) -> String {
        switch state {
        case .connecting: "connecting"
        case .open: "open"
        case .waiting(let pause, let error): "waiting \(pause) after \(error.kind)"
        case .closed(let error): "closed after \(error.map { "\($0.kind)" } ?? "a normal end")"
        case nil: "end"
        }
    }

    @Test func `messages of several connections are one sequence`() async throws {
        let rig = Rig()
        let socket = rig.socket()
        var messages = socket.messages.makeAsyncIterator()
        for number in 0..<5 {
            try await rig.server(number).send(.text("\(number)"))
            #expect(try await messages.next() == .text("\(number)"))
            try await rig.lose(number)
            await rig.passPause()
        }
        try await rig.server(5).send(.text("last"))
        try await rig.server(5).close()
        #expect(try await messages.next() == .text("last"))
        #expect(try await messages.next() == nil)
    }

    @Test func `the states tell what happens`() async throws {
        let rig = Rig(failing: [NetworkError(.connect, reason: "")])
        let socket = rig.socket()
        var states = socket.states.makeAsyncIterator()
        var seen: [String] = []
        func note() async { seen.append(text(await states.next())) }
        while seen.last != "waiting 1.0 seconds after connection" { await note() }
        await rig.passPause()
        while seen.last != "open" { await note() }
        try await rig.server(0).close(code: 1011)
        while seen.last?.hasPrefix("waiting") != true { await note() }
        await socket.close()
        while seen.last != "end" { await note() }
        #expect(seen.suffix(2) == ["closed after a normal end", "end"])
        #expect(
            Set(seen).isSubset(of: [
                "connecting", "open", "waiting 1.0 seconds after connection", "closed after a normal end", "end",
            ]))
    }

    private struct Unavailable: ServiceUnavailability {}

    @Test(arguments: [
        NetworkError.authentication(.failed(NetworkError(.connect, reason: ""))), .deadlinePassed(),
        NetworkError(kind: .limit, underlying: Unavailable()),
    ])
    func `a refresh without network, a deadline and an open circuit are waited for`(error: NetworkError) async throws {
        let rig = Rig(failing: [error])
        let socket = rig.socket()
        await rig.passPause()
        await socket.untilOpen()
        #expect(rig.count == 1)
        await socket.close()
    }

    @Test func `the closure runs after each opening, and before messages that were kept`() async throws {
        let rig = Rig()
        let count = Locked(0)
        let socket = rig.socket {
            $0.unsentMessages = .kept(upTo: 1_000)
        } onOpen: { socket in
            let number = count.withLock {
                $0 += 1; return $0
            }
            try await socket.send(.text("subscribe \(number)"))
        }
        for number in 0..<3 {
            let sending = Task { try await socket.send(.text("message \(number)")) }
            let server = try await rig.server(number)
            var messages = server.messages.makeAsyncIterator()
            #expect(try await messages.next() == .text("subscribe \(number + 1)"))
            #expect(try await messages.next() == .text("message \(number)"))
            try await sending.value
            await server.close(code: 1011)
            while case .open = socket.state { await Task.yield() }
            if number < 2 { await rig.passPause() }
        }
        await socket.close()
    }

    @Test func `without an open connection a message is refused`() async throws {
        let rig = Rig(failing: [NetworkError(.connect, reason: "")])
        let socket = rig.socket()
        await rig.clock.untilSleeping()
        let error = await #expect(throws: NetworkError.self) { try await socket.send(.text("a")) }
        #expect(error?.kind == .connection)
        await rig.passPause()
        await socket.untilOpen()
        try await socket.send(.text("b"))
        var messages = try await rig.server(0).messages.makeAsyncIterator()
        #expect(try await messages.next() == .text("b"))
        await socket.close()
    }

    @Test func `kept messages keep their order and their limit, and canceled ones are not sent`() async throws {
        let rig = Rig(failing: [NetworkError(.connect, reason: "")])
        let socket = rig.socket { $0.unsentMessages = .kept(upTo: 30) }
        await rig.clock.untilSleeping()
        var calls: [Task<Void, any Error>] = []
        for number in 0..<3 {
            calls.append(Task { try await socket.send(.text("message \(number)")) })
            while socket.keptSize < 9 * (number + 1) { await Task.yield() }
        }
        let error = await #expect(throws: NetworkError.self) { try await socket.send(.text("0123")) }
        #expect(error?.kind == .limit)
        calls[1].cancel()
        await #expect(throws: NetworkError.self) { try await calls[1].value }
        await rig.passPause()
        try await calls[0].value
        try await calls[2].value
        var messages = try await rig.server(0).messages.makeAsyncIterator()
        #expect(try await messages.next() == .text("message 0"))
        #expect(try await messages.next() == .text("message 2"))
        await socket.close()
    }

    @Test(arguments: [
        (1000, "closed after a normal end"), (1001, "waiting"), (1011, "waiting"), (1012, "waiting"),
        (1008, "closed after connection"), (4401, "closed after connection"),
    ])
    func `the code of the close frame decides whether another connection is opened`(
        code: Int,
        expected: String
    ) async throws {
        let rig = Rig()
        let socket = rig.socket()
        await socket.untilOpen()
        try await rig.server(0).close(code: UInt16(code))
        var seen = ""
        for await state in socket.states {
            seen = text(state)
            if seen.hasPrefix("waiting") { break }
        }
        #expect(seen.hasPrefix(expected))
        await socket.close()
    }

    @Test(arguments: [(503, true), (429, true), (401, false), (404, false)])
    func `the status of a refused handshake decides whether the next one is tried`(
        status: Int,
        isTried: Bool
    ) async throws {
        let url = try #require(URL(string: "https://api.example.com/"))
        let response = HTTPResponse(statusCode: status, request: HTTPRequest(url: url))
        let rig = Rig(failing: [NetworkError(kind: .status, response: response)])
        let socket = rig.socket()
        if isTried {
            await rig.passPause()
            await socket.untilOpen()
        } else {
            var messages = socket.messages.makeAsyncIterator()
            let error = await #expect(throws: NetworkError.self) { try await messages.next() }
            #expect(error?.statusCode == status)
            let late = await #expect(throws: NetworkError.self) { try await socket.send(.text("a")) }
            #expect(late?.statusCode == status)
        }
        await socket.close()
    }

    @Test(arguments: [false, true])
    func `a server that names a time is asked again after it, also that of a refresh`(isRefresh: Bool) async throws {
        let url = try #require(URL(string: "https://api.example.com/"))
        let response = HTTPResponse(
            statusCode: 503, headers: ["Retry-After": "40"], request: HTTPRequest(url: url))
        let error = NetworkError(kind: .status, response: response)
        let rig = Rig(failing: [isRefresh ? .authentication(.failed(error)) : error])
        let socket = rig.socket()
        await rig.passPause(.seconds(39))
        guard case .waiting(.seconds(40), _) = socket.state else { return #expect(Bool(false), "\(socket.state)") }
        await rig.passPause(.seconds(1))
        await socket.untilOpen()
        await socket.close()
    }

    @Test func `a server does not delay the next connection beyond the limit`() async throws {
        let url = try #require(URL(string: "https://api.example.com/"))
        let response = HTTPResponse(
            statusCode: 503, headers: ["Retry-After": "1000000"], request: HTTPRequest(url: url))
        let rig = Rig(failing: [NetworkError(kind: .status, response: response)])
        let socket = rig.socket()
        await rig.clock.untilSleeping()
        guard case .waiting(.seconds(300), _) = socket.state else { return #expect(Bool(false), "\(socket.state)") }
        await socket.close()
    }

    @Test func `a network error of the closure ends its connection, and the next one is opened`() async throws {
        let rig = Rig()
        let runs = Locked(0)
        let socket = rig.socket { _ in
        } onOpen: { _ in
            let run = runs.withLock {
                $0 += 1; return $0
            }
            if run == 1 { throw NetworkError(.timeout(.response), reason: "no answer") }
        }
        await rig.passPause()
        await socket.untilOpen()
        #expect(rig.count == 2)
        await socket.close()
    }

    @Test func `a reader that is canceled leaves the socket open`() async throws {
        let rig = Rig()
        let socket = rig.socket()
        await socket.untilOpen()
        let reading = Task { try await socket.messages.first { _ in true } }
        reading.cancel()
        let error = await #expect(throws: NetworkError.self) { try await reading.value }
        #expect(error?.kind == .cancelled)
        try await rig.server(0).send(.text("a"))
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .text("a"))
        await socket.close()
    }

    @Test func `the socket is closed after as many failures in a row as the policy allows`() async throws {
        let failures = [NetworkError](repeating: NetworkError(.connect, reason: ""), count: 3)
        let rig = Rig(failing: failures)
        let socket = rig.socket { $0.failureLimit = 3 }
        for _ in 0..<2 { await rig.passPause() }
        var messages = socket.messages.makeAsyncIterator()
        let error = await #expect(throws: NetworkError.self) { try await messages.next() }
        #expect(error?.kind == .connection)
        #expect(rig.count == 0)
    }

    @Test func `a connection whose closure fails is a failure, however long the closure took`() async throws {
        let rig = Rig()
        let socket = rig.socket {
            $0.failureLimit = 2
        } onOpen: { [clock = rig.clock] _ in
            try await clock.sleep(for: .seconds(60))
            throw NetworkError(.timeout(.response), reason: "")
        }
        for duration in [Duration.seconds(60), .seconds(1), .seconds(60)] {
            await rig.clock.untilSleeping()
            rig.clock.advance(by: duration)
        }
        var messages = socket.messages.makeAsyncIterator()
        let error = await #expect(throws: NetworkError.self) { try await messages.next() }
        #expect(error?.kind == .timeout && rig.count == 2)
    }

    @Test func `the reason of a failed message in the closure is the server's close frame`() async throws {
        let url = try #require(URL(string: "http://localhost/"))
        let response = HTTPResponse(statusCode: 101, request: HTTPRequest(url: url))
        let offer = WebSocketOffer(clock: TestClock())
        let (one, other) = MemoryChannel.pair()
        let channel = EagerChannel(one)
        channel.fail()
        let server = WebSocket.over(other, as: .server, after: response, offer: offer)
        let socket = ReconnectingWebSocket(ReconnectPolicy()) { () throws(NetworkError) in
            WebSocket.over(channel, as: .client, after: response, offer: offer)
        } onOpen: { socket in
            do {
                try await socket.send(.text("hello"))
            } catch {
                Task { await server.close(code: 4403) }
                throw error
            }
        }
        var messages = socket.messages.makeAsyncIterator()
        let error = await #expect(throws: NetworkError.self) { try await messages.next() }
        #expect((error?.underlying as? WebSocketClose)?.code == 4403)
    }

    @Test func `pauses grow, and begin anew after a connection that was open for long`() async throws {
        let rig = Rig()
        let socket = rig.socket {
            $0.backoff = .exponential(base: .seconds(1), cap: .seconds(30))
            $0.random = { 1 }
        }
        var states = socket.states.makeAsyncIterator()
        func pause() async -> Duration? {
            while let state = await states.next() { if case .waiting(let pause, _) = state { return pause } }
            return nil
        }
        for (number, expected) in [1, 2, 4, 8].enumerated() {
            try await rig.lose(number)
            #expect(await pause() == .seconds(expected))
            await rig.passPause(.seconds(expected))
        }
        await socket.untilOpen()
        rig.clock.advance(by: .seconds(10))
        try await rig.lose(4)
        #expect(await pause() == .seconds(1))
        await socket.close()
    }

    @Test func `closing ends the messages, the calls that wait and the connection`() async throws {
        let rig = Rig(failing: [NetworkError(.connect, reason: "")])
        let socket = rig.socket { $0.unsentMessages = .kept(upTo: 1_000) }
        await rig.clock.untilSleeping()
        let sending = Task { try await socket.send(.text("a")) }
        let reading = Task { try await socket.messages.first { _ in true } }
        for _ in 0..<50 { await Task.yield() }
        await socket.close()
        #expect(try await reading.value == nil)
        let error = await #expect(throws: NetworkError.self) { try await sending.value }
        #expect(error?.kind == .invalidRequest)
        await #expect(throws: NetworkError.self) { try await socket.send(.text("b")) }
        #expect(rig.count == 0)
    }

    @Test(arguments: [true, false]) func `closing while a connection opens ends it, too`(inClosure: Bool) async throws {
        let rig = Rig()
        let socket = rig.socket {
            $0.unsentMessages = .kept(upTo: 1 << 30)
        } onOpen: { socket in
            var messages = socket.messages.makeAsyncIterator()
            if inClosure { _ = try await messages.next() }
        }
        let sending = Task { try await socket.send(.text("a")) }
        let server = try await rig.server(0)
        for _ in 0..<50 { await Task.yield() }
        await socket.close()
        _ = await sending.result
        for try await _ in socket.messages {}
        // A connection that is not open yet ends without a close frame.
        do { for try await _ in server.messages {} } catch {}
        await #expect(throws: NetworkError.self) { try await server.send(.text("late")) }
    }

    @Test func `releasing the socket ends its connection`() async throws {
        let rig = Rig()
        var socket: ReconnectingWebSocket? = rig.socket()
        let server = try await rig.server(0)
        if let socket { await socket.untilOpen() }
        socket = nil
        await #expect(throws: NetworkError.self) { for try await _ in server.messages {} }
        #expect(rig.count == 1)
    }

    @Test func `messages that were not read before a loss come before the next connection`() async throws {
        let rig = Rig()
        let socket = rig.socket()
        await socket.untilOpen()
        for number in 0..<3 { try await rig.server(0).send(.text("\(number)")) }
        try await rig.server(0).close(code: 1011)
        await rig.passPause()
        let iterator = socket.messages.makeAsyncIterator()
        var messages = iterator
        for number in 0..<3 {
            #expect(rig.count == 1)
            #expect(try await messages.next() == .text("\(number)"))
        }
        let last = Task {
            var rest = iterator
            return try await rest.next()
        }
        try await rig.server(1).send(.text("3"))
        #expect(try await last.value == .text("3"))
        await socket.close()
    }

    @Test(arguments: [false, true])
    func `an error of the closure that is not of the network ends the socket`(serverCloses: Bool) async throws {
        struct Wrong: Error {}
        let rig = Rig()
        let socket = rig.socket { _ in
        } onOpen: { connection in
            if serverCloses {
                try await rig.server(0).close(code: 1011)
                var messages = connection.messages.makeAsyncIterator()
                _ = try? await messages.next()
            }
            throw Wrong()
        }
        var messages = socket.messages.makeAsyncIterator()
        let error = await #expect(throws: NetworkError.self) { try await messages.next() }
        #expect(error?.underlying is Wrong)
        #expect(rig.count == 1)
    }
}
