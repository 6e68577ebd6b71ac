import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

/// Unread messages, and a lost connection.
@Suite(.timeLimit(.minutes(5))) struct ReconnectingReadingTests {
    @Test func `a socket that nobody reads is opened again, and its unread messages come first`() async throws {
        let rig = ReconnectingRig()
        let socket = rig.socket { $0.unsentMessages = .kept(upTo: 1_000) }
        await socket.untilOpen()
        try await rig.server(0).send(.text("unread"))
        try await rig.lose(0)
        let sending = Task { try await socket.send(.text("kept")) }
        await rig.passPause()
        await rig.passPause(.seconds(2))
        try await sending.value
        var received = try await rig.server(1).messages.makeAsyncIterator()
        #expect(try await received.next() == .text("kept"))
        try await rig.server(1).send(.text("later"))
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .text("unread"))
        #expect(try await messages.next() == .text("later"))
        await socket.close()
    }

    @Test func `a reader gets the messages of a lost connection before the next one is opened`() async throws {
        let rig = ReconnectingRig()
        let count = Locked(0)
        let known = Locked<[Int]>([])
        let socket = rig.socket { _ in
        } onOpen: { _ in
            let count = count.withLock { $0 }
            known.withLock { $0.append(count) }
        }
        await socket.untilOpen()
        for text in ["a", "b"] { try await rig.server(0).send(.text(text)) }
        try await rig.lose(0)
        await rig.passPause()
        // The clock doesn't advance: only the reader is awaited.
        await rig.clock.untilSleeping()
        var messages = socket.messages.makeAsyncIterator()
        for text in ["a", "b"] {
            #expect(try await messages.next() == .text(text))
            count.withLock { $0 += 1 }
        }
        let reading = Task { [messages] in
            var messages = messages
            return try await messages.next()
        }
        try await rig.server(1).send(.text("c"))
        #expect(try await reading.value == .text("c"))
        #expect(known.withLock { $0 } == [0, 2])
        await socket.close()
    }

    @Test func `unread messages of all connections together wait within the limit`() async throws {
        var options = WebSocketOptions()
        options.bufferLimit = 200
        let rig = ReconnectingRig(options: options)
        let socket = rig.socket {
            $0.unsentMessages = .kept(upTo: 1_000)
            $0.readingTime = .zero
        }
        // Each message takes 100 bytes.
        func text(_ number: Int) -> WebSocketMessage { .text(String(repeating: "\(number)", count: 36)) }
        for number in 0..<3 {
            await socket.untilOpen()
            try await rig.server(number).send(text(number))
            try await rig.lose(number)
            // An unread connection is found to be lost when a message can't be sent.
            let sending = number == 2 ? Task { try await socket.send(.text("kept")) } : nil
            await rig.passPause()
            try await sending?.value
        }
        await socket.untilOpen()
        try await rig.server(3).send(text(3))
        var messages = socket.messages.makeAsyncIterator()
        for number in [0, 1, 3] { #expect(try await messages.next() == text(number)) }
        await socket.close()
    }

    @Test func `messages that arrive before the closure returns wait within the limit, too`() async throws {
        var options = WebSocketOptions()
        options.bufferLimit = 200
        let rig = ReconnectingRig(options: options)
        let (entered, leave, count) = (OneShot<Void>(), OneShot<Void>(), Locked(0))
        let socket = rig.socket {
            $0.unsentMessages = .kept(upTo: 1_000)
            $0.readingTime = .zero
        } onOpen: { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number == 2 else { return }
            entered.settle(())
            try await leave.wait()
        }
        func text(_ number: Int) -> WebSocketMessage { .text(String(repeating: "\(number)", count: 36)) }
        await socket.untilOpen()
        try await rig.server(0).send(text(0))
        try await rig.lose(0)
        await rig.passPause()
        try await entered.wait()
        for number in 1...2 { try await rig.server(1).send(text(number)) }
        leave.settle(())
        await socket.untilOpen()
        try await rig.lose(1)
        let sending = Task { try await socket.send(.text("kept")) }
        await rig.passPause()
        try await sending.value
        try await rig.server(2).send(text(3))
        var messages = socket.messages.makeAsyncIterator()
        // Two messages fill the limit.
        for number in [0, 1, 3] { #expect(try await messages.next() == text(number)) }
        await socket.close()
    }

    @Test func `a socket that ignores messages only sends, and notices each loss`() async throws {
        var options = WebSocketOptions()
        options.bufferLimit = 1
        let rig = ReconnectingRig(options: options)
        let socket = rig.socket { policy in
            policy = .ignoringMessages
            (policy.clock, policy.backoff) = (rig.clock, .constant(.seconds(1)))
        }
        for number in 0..<3 {
            await socket.untilOpen()
            let server = try await rig.server(number)
            for _ in 0..<10 { try await server.send(.text("nobody reads this")) }
            try await socket.send(.text("\(number)"))
            var received = server.messages.makeAsyncIterator()
            #expect(try await received.next() == .text("\(number)"))
            await server.close(code: 1011)
            await rig.passPause()
        }
        await socket.untilOpen()
        await socket.close()
        for try await message in socket.messages { Issue.record("\(message) was delivered") }
        #expect(rig.count == 4)
    }
}
