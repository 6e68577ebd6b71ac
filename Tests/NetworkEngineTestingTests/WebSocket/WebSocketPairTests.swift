import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

@Suite(.timeLimit(.minutes(5)))
struct WebSocketPairTests {
    @Test func `what one end sends arrives at the other`() async throws {
        let (client, server) = WebSocket.pair(protocol: "chat")
        try await client.send(.text("a"))
        try await server.send(.data(Data([1, 2])))
        #expect(try await server.messages.first { _ in true } == .text("a"))
        #expect(try await client.messages.first { _ in true } == .data(Data([1, 2])))
        #expect(client.negotiatedProtocol == "chat" && server.negotiatedProtocol == "chat")
        #expect(client.response.statusCode == 101)
    }

    @Test func `either end closes both`() async throws {
        for closesClient in [true, false] {
            let (client, server) = WebSocket.pair()
            let (closing, other) = closesClient ? (client, server) : (server, client)
            await closing.close(code: 3000, reason: "done")
            await #expect(throws: NetworkError.self) { for try await _ in other.messages {} }
            #expect(other.closeCode == 3000 && other.closeReason == "done")
            for try await _ in closing.messages {}
        }
    }

    @Test func `releasing one end ends the other`() async throws {
        let client = WebSocket.pair().client
        await #expect(throws: NetworkError.self) { for try await _ in client.messages {} }
    }

    @Test func `the options are those of both ends`() async throws {
        var options = WebSocketOptions()
        options.messageLimit = 3
        let (client, server) = WebSocket.pair(options: options)
        try await client.send(.text("four"))
        let error = await #expect(throws: NetworkError.self) { for try await _ in server.messages {} }
        #expect(error?.kind == .limit)
        await #expect(throws: NetworkError.self) { for try await _ in client.messages {} }
        #expect(client.closeCode == 1009)
    }

    @Test func `pings follow the given clock`() async throws {
        var options = WebSocketOptions()
        options.pingInterval = .seconds(20)
        let clock = TestClock()
        let (client, server) = WebSocket.pair(options: options, clock: clock)
        #expect(await clock.advanceToNextSleeper() == .seconds(20))
        try await client.send(.text("still here"))
        #expect(try await server.messages.first { _ in true } == .text("still here"))
        await client.close()
    }
}
