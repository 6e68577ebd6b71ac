import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

/// WebSockets over every transport that supports them: on Apple platforms also over the system session.
@Suite(.timeLimit(.minutes(5))) struct WebSocketEndTests {
    private func withSocket(
        over wire: Wire,
        to response: LoopbackResponse,
        messageLimit: Int = 1 << 20,
        _ check: (WebSocket) async throws -> Void
    ) async throws {
        let server = try LoopbackServer { _ in response }
        try await wire.withTransport { transport in
            var configuration = NetworkConfiguration()
            (configuration.transport, configuration.webSockets.messageLimit) = (transport, messageLimit)
            let client = HTTPClient(baseURL: server.url, configuration: configuration)
            try await check(try await client.webSocket(.get("/")))
        }
    }

    private func frames(_ frames: [UInt8]...) -> LoopbackResponse {
        .webSocket(sending: Data(frames.joined()), then: .keepAlive)
    }

    @Test(arguments: Wire.withWebSockets)
    func `an address with the scheme http opens a socket`(wire: Wire) async throws {
        let echo = LoopbackResponse.webSocket { socket in
            for try await message in socket.messages { try await socket.send(message) }
        }
        try await withSocket(over: wire, to: echo) { socket in
            try await socket.send(.text("hello"))
            var messages = socket.messages.makeAsyncIterator()
            #expect(try await messages.next() == .text("hello"))
            await socket.close()
            #expect(socket.closeCode == 1000)
        }
    }

    @Test(arguments: Wire.withWebSockets)
    func `a close frame without a code is a normal end with the code 1005`(wire: Wire) async throws {
        try await withSocket(over: wire, to: frames([0x81, 4] + Array("last".utf8), [0x88, 0])) { socket in
            var messages: [WebSocketMessage] = []
            for try await message in socket.messages { messages.append(message) }
            #expect(messages == [.text("last")] && socket.closeCode == 1005)
        }
    }

    @Test(arguments: Wire.withWebSockets)
    func `a server's code and reason are in the error and in the socket`(wire: Wire) async throws {
        let reason = Array("expired".utf8)
        let close: [UInt8] = [0x88, UInt8(reason.count + 2), 0x11, 0x31] + reason
        try await withSocket(over: wire, to: frames(close)) { socket in
            let error = await #expect(throws: NetworkError.self) { for try await _ in socket.messages {} }
            #expect(error?.kind == .connection && socket.closeCode == 4401 && socket.closeReason == "expired")
        }
    }

    @Test(arguments: Wire.withWebSockets)
    func `a message above the limit ends the socket with that error`(wire: Wire) async throws {
        let message = [0x82, 126, 0x10, 0] + [UInt8](repeating: 7, count: 4096)
        try await withSocket(over: wire, to: frames(message), messageLimit: 1000) { socket in
            let error = await #expect(throws: NetworkError.self) { for try await _ in socket.messages {} }
            #expect(error?.kind == .limit)
            let later = await #expect(throws: NetworkError.self) { try await socket.send(.text("more")) }
            #expect(later?.kind == .limit)
        }
    }
}

#if canImport(FoundationNetworking)
@Suite(.timeLimit(.minutes(5)), .enabled(if: !CurlVersion.isNew, "URLSession is not tested with another libcurl"))
struct SocketsOfLinuxTests {
    @Test func `URLSession on Linux says before any I/O that it opens no WebSockets`() async throws {
        let server = try LoopbackServer()
        let client = HTTPClient(baseURL: server.url)
        let error = await #expect(throws: NetworkError.self) { try await client.webSocket(.get("/")) }
        #expect(error?.kind == .unsupported)
        #expect(server.acceptedConnections == 0)
    }
}
#endif
