import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

@Suite(.timeLimit(.minutes(5)))
struct LoopbackWebSocketEndTests {
    /// Waits until its task is canceled, and then opens a gate.
    private static func waiting(_ started: LoopbackBarrier, _ ended: LoopbackBarrier) -> LoopbackResponse {
        .webSocket { _ in
            started.open()
            do {
                try await LoopbackBarrier().opened()
            } catch {
                ended.open()
            }
        }
    }

    @Test(arguments: [LoopbackFault.close, .reset])
    func `closing connections ends the socket and cancels its closure`(fault: LoopbackFault) async throws {
        let (started, ended) = (LoopbackBarrier(), LoopbackBarrier())
        let server = try LoopbackServer { _ in Self.waiting(started, ended) }
        let socket = try await server.socket()
        try await started.opened()
        server.closeConnections(fault)
        let error = await #expect(throws: NetworkError.self) { for try await _ in socket.messages {} }
        #expect(error?.kind == .connection)
        try await ended.opened()
        try await server.wait { $0.openConnections == 0 }
    }

    @Test func `stopping the server ends the socket and cancels its closure`() async throws {
        let (started, ended) = (LoopbackBarrier(), LoopbackBarrier())
        let server = try LoopbackServer { _ in Self.waiting(started, ended) }
        let socket = try await server.socket()
        try await started.opened()
        server.stop()
        await #expect(throws: NetworkError.self) { for try await _ in socket.messages {} }
        try await ended.opened()
    }

    @Test func `a closure that outlives its connection is canceled when the server stops`() async throws {
        let (started, ended) = (LoopbackBarrier(), LoopbackBarrier())
        let server = try LoopbackServer { _ in Self.waiting(started, ended) }
        let socket = try await server.socket()
        try await started.opened()
        await socket.close()
        try await server.wait { $0.openConnections == 0 }
        #expect(ended.arrivals == 0)
        server.stop()
        try await ended.opened()
    }

    @Test func `a client that goes without a close frame makes messages throw`() async throws {
        let ended = LoopbackBarrier()
        let server = try LoopbackServer()
        server.enqueue(
            .webSocket { socket in
                await #expect(throws: NetworkError.self) { for try await _ in socket.messages {} }
                ended.open()
            })
        let client = try RawClient(server)
        try client.send(RawHandshake.head())
        client.finishSending()
        try await ended.opened()
        try await server.wait { $0.openConnections == 0 }
    }

    @Test func `a send that waits for a slow client fails when the connection is reset`() async throws {
        let (sent, failed) = (LoopbackBarrier(), LoopbackBarrier())
        let server = try LoopbackServer()
        server.enqueue(
            .webSocket { socket in
                do {
                    while true {
                        try await socket.send(.data(Data(count: 1 << 20)))
                        sent.open()
                    }
                } catch {
                    failed.open()
                }
            })
        let client = try RawClient(server)
        try client.send(RawHandshake.head())
        try await sent.opened()
        server.closeConnections(.reset)
        try await failed.opened()
    }

    @Test func `a client that sends more than is read has to wait`() async throws {
        var configuration = LoopbackConfiguration()
        configuration.webSockets.bufferLimit = 1 << 16
        let gate = LoopbackBarrier()
        let server = try LoopbackServer(configuration) { _ in
            .webSocket { socket in
                try await gate.opened()
                for try await _ in socket.messages {}
            }
        }
        let client = try RawClient(server)
        try client.send(RawHandshake.head())
        let piece = WebSocketFrame.bytes(.binary, [UInt8](repeating: 1, count: 1 << 20), from: .client)
        let sent = try await RawClient.beside { try client.send(piece, times: 64, within: .milliseconds(100)) }
        #expect(sent < 64)
        gate.open()
    }

    @Test func `a closure may stop its own server`() async throws {
        let stopped = LoopbackBarrier()
        let server = try LoopbackServer()
        server.enqueue(
            .webSocket { [weak server] _ in
                server?.stop()
                stopped.open()
            })
        let socket = try await server.socket()
        await #expect(throws: NetworkError.self) { for try await _ in socket.messages {} }
        try await stopped.opened()
    }

    @Test func `many sockets and a stop at any moment leave no connection`() async throws {
        for round in 0..<10 {
            let server = try LoopbackServer { _ in
                .webSocket { socket in
                    for try await message in socket.messages { try await socket.send(message) }
                }
            }
            await withTaskGroup { group in
                for index in 0..<10 {
                    group.addTask {
                        guard let socket = try? await server.socket() else { return }
                        if index == round { server.stop() }
                        try? await socket.send(.text("x"))
                        var messages = socket.messages.makeAsyncIterator()
                        _ = try? await messages.next()
                        await socket.close()
                    }
                }
            }
            server.stop()
            #expect(server.openConnections == 0)
        }
    }
}

@Suite(.timeLimit(.minutes(5)))
struct LoopbackWebSocketIncidentTests {
    private static let answer = LoopbackResponse.webSocket { socket in try await socket.send(.text("hello")) }

    @Test func `a fault in the head of the 101 prevents the socket`() async throws {
        let server = try LoopbackServer()
        server.enqueue(Self.answer.fault(.reset, at: .responseHead(afterBytes: 20)))
        await #expect(throws: NetworkError.self) { try await server.open() }
    }

    @Test func `a fault after the head of the 101 ends the socket before its closure`() async throws {
        let server = try LoopbackServer()
        server.enqueue(Self.answer.fault(.close, at: .responseEnd))
        let socket = try await server.socket()
        await #expect(throws: NetworkError.self) { for try await _ in socket.messages {} }
    }

    @Test func `a handshake can be delayed and held`() async throws {
        let server = try LoopbackServer()
        let gate = LoopbackBarrier()
        server.enqueue(Self.answer.delayed(by: .milliseconds(30)).held(by: gate, at: .responseEnd))
        let start = ContinuousClock.now
        let socket = try await server.socket()
        #expect(start.duration(to: .now) >= .milliseconds(29))
        gate.open()
        #expect(try await socket.messages.first { _ in true } == .text("hello"))
    }

    @Test func `a fault cuts raw bytes`() throws {
        let server = try LoopbackServer()
        let bytes = LoopbackResponse.webSocket(sending: Data("abcdef".utf8))
        server.enqueue(bytes.fault(.close, at: .responseBody(afterBytes: 3)))
        let client = try RawClient(server)
        try client.send(RawHandshake.head())
        #expect(try client.readToEnd().hasSuffix("\r\n\r\nabc"))
    }
}
