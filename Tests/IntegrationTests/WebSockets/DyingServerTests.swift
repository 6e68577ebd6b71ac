import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

/// A reconnecting socket to a server that dies at every byte, one connection after the other.
@Suite(.timeLimit(.minutes(10)), .enabled(if: CurlTransport.isAvailable, "there is no libcurl"))
struct DyingServerTests {
    private static let texts = ["first", "the second one", String(repeating: "long ", count: 30), "and the last"]
    /// More bytes than a handshake response has.
    private static let headBytes = 200
    /// Everything that the server sends on a connection.
    private static let frames = texts.indices.reduce(into: Data()) { data, number in
        data += Data(WebSocketFrame.bytes(.text, "\(number) \(texts[number])".utf8, from: .server))
    }

    /// The response to a handshake; `nil` for a complete one.
    private static func answer(_ number: Int, _ fault: LoopbackFault) -> LoopbackResponse? {
        if number < headBytes { return .webSocket { _ in }.fault(fault, at: .responseHead(afterBytes: number)) }
        let count = number - headBytes
        guard count < frames.count else { return nil }
        return .webSocket(sending: frames).fault(fault, at: .responseBody(afterBytes: count))
    }

    @Test(arguments: [LoopbackFault.close, .reset])
    func `no message is lost or comes twice when the server dies at every byte`(fault: LoopbackFault) async throws {
        let handshakes = Locked(0)
        let server = try LoopbackServer { _ in
            let number = handshakes.withLock { count in
                defer { count += 1 }
                return count
            }
            return Self.answer(number, fault)
                ?? .webSocket { socket in
                    for number in Self.texts.indices { try await socket.send(.text("\(number) \(Self.texts[number])")) }
                }
        }
        let transport = CurlTransport()
        defer { transport.shutdown() }
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        var policy = ReconnectPolicy()
        policy.backoff = .constant(.zero)
        policy.closeCodes.insert(1006)
        let client = HTTPClient(baseURL: server.url, configuration: configuration)
        let openings = Locked(0)
        let socket = client.webSocket(.get("/"), reconnecting: policy) { _ in openings.withLock { $0 += 1 } }
        var received: [String] = []
        for try await message in socket.messages {
            let words = (message.text ?? "").split(separator: " ", maxSplits: 1)
            if Int(words[0]) == received.count { received.append(String(words[1])) }
        }
        #expect(received == Self.texts)
        #expect(openings.withLock { $0 } > Self.frames.count)
        #expect(handshakes.withLock { $0 } == Self.headBytes + Self.frames.count + 1)
        try await server.wait { $0.openConnections == 0 }
    }
}
