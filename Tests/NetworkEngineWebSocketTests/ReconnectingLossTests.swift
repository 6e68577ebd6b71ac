import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

/// The other end dies at every byte.
@Suite(.timeLimit(.minutes(10))) struct ReconnectingLossTests {
    private static let texts = ["first", "the second one", "3", "and the last"]

    /// A socket to a server that passes its end of each connection to a closure.
    private func socket(
        _ unsent: ReconnectPolicy.UnsentMessages = .refused,
        cutting cut: CutChannel.Cut?,
        serve: @escaping @Sendable (WebSocket) async throws -> Void,
        onOpen: @escaping @Sendable @concurrent (WebSocket) async throws -> Void = { _ in }
    ) throws -> ReconnectingWebSocket {
        var policy = ReconnectPolicy()
        policy.backoff = .constant(.zero)
        policy.unsentMessages = unsent
        let url = try #require(URL(string: "http://localhost/"))
        let response = HTTPResponse(statusCode: 101, request: HTTPRequest(url: url))
        let isFirst = Locked(true)
        let serving = Locked<Task<Void, Never>?>(nil)
        return ReconnectingWebSocket(policy) { () throws(NetworkError) in
            let (one, other) = MemoryChannel.pair()
            let isCut = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            let channel = CutChannel(one, isCut ? cut : nil)
            let offer = WebSocketOffer(clock: TestClock())
            let server = WebSocket.over(other, as: .server, after: response, offer: offer)
            // Messages from one connection are read before messages from the next.
            serving.withLock { last in
                last = Task { [last] in
                    await last?.value
                    try? await serve(server)
                }
            }
            return WebSocket.over(channel, as: .client, after: response, offer: offer)
        } onOpen: {
            try await onOpen($0)
        }
    }

    private static let size = texts.reduce(0) { $0 + $1.utf8.count + 6 }

    @Test(arguments: 0...size) func `a message that is sent arrives once, in order`(bytes: Int) async throws {
        let received = Locked<[String]>([])
        let socket = try socket(.kept(upTo: 1_000), cutting: .sending(after: bytes)) { server in
            for try await message in server.messages { received.withLock { $0.append(message.text ?? "") } }
        }
        for text in Self.texts { try await socket.send(.text(text)) }
        await socket.close()
        while received.withLock({ $0.count }) < Self.texts.count { await Task.yield() }
        #expect(received.withLock { $0 } == Self.texts)
    }

    @Test(arguments: 0...size) func `messages that leave together arrive once each`(bytes: Int) async throws {
        let received = Locked<[String]>([])
        let socket = try socket(.kept(upTo: 1_000), cutting: .sending(after: bytes)) { server in
            for try await message in server.messages { received.withLock { $0.append(message.text ?? "") } }
        }
        for await state in socket.states { if case .open = state { break } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for text in Self.texts { group.addTask { try await socket.send(.text(text)) } }
            try await group.waitForAll()
        }
        await socket.close()
        while received.withLock({ $0.count }) < Self.texts.count { await Task.yield() }
        #expect(received.withLock { $0.sorted() } == Self.texts.sorted())
    }

    @Test(arguments: 0...size) func `a call whose message may be lost throws if messages are refused`(
        bytes: Int
    ) async throws {
        let received = Locked<[String]>([])
        let socket = try socket(cutting: .sending(after: bytes)) { server in
            for try await message in server.messages { received.withLock { $0.append(message.text ?? "") } }
        }
        for await state in socket.states { if case .open = state { break } }
        var sent: [String] = []
        for text in Self.texts {
            do { try await socket.send(.text(text)) } catch { continue }
            sent.append(text)
        }
        await socket.close()
        while received.withLock({ $0.count }) < sent.count { await Task.yield() }
        #expect(received.withLock { $0 } == sent)
    }

    @Test(arguments: 0...size) func `a closure that asks for what is missing completes the messages`(
        bytes: Int
    ) async throws {
        let received = Locked<[String]>([])
        let socket = try socket(cutting: .receiving(after: bytes)) { server in
            var messages = server.messages.makeAsyncIterator()
            let start = try await messages.next()?.text.flatMap { Int($0) } ?? 0
            for number in start..<Self.texts.count { try await server.send(.text("\(number) \(Self.texts[number])")) }
            await server.close()
        } onOpen: { socket in
            try await socket.send(.text("\(received.withLock { $0.count })"))
        }
        for try await message in socket.messages {
            let words = (message.text ?? "").split(separator: " ", maxSplits: 1)
            received.withLock { received in
                // The last message may have been in this loop when the closure ran.
                if Int(words[0]) == received.count { received.append(String(words[1])) }
            }
        }
        #expect(received.withLock { $0 } == Self.texts)
    }
}

/// A channel that closes after a number of bytes in one direction.
private final class CutChannel: ByteChannel {
    enum Cut: Sendable {
        case sending(after: Int)
        case receiving(after: Int)
    }

    private let inner: MemoryChannel
    private let left: Locked<(sending: Int, receiving: Int)>
    private let sum = Locked(0)

    var taken: Int { sum.withLock { $0 } }

    init(_ inner: MemoryChannel, _ cut: Cut?) {
        self.inner = inner
        left =
            switch cut {
            case .sending(let count): Locked((count, .max))
            case .receiving(let count): Locked((.max, count))
            case nil: Locked((.max, .max))
            }
    }

    func send(_ bytes: [UInt8]) async throws(NetworkError) {
        let count = left.withLock { left in
            let count = min(left.sending, bytes.count)
            left.sending -= count
            return count
        }
        if count > 0 { try await inner.send(Array(bytes.prefix(count))) }
        sum.withLock { $0 += count }
        guard count == bytes.count else {
            inner.close()
            throw NetworkError(.lostMidBody, reason: "the server died")
        }
    }

    func receive() async throws(NetworkError) -> [UInt8]? {
        if left.withLock({ $0.receiving == 0 }) {
            inner.close()
            throw NetworkError(.lostMidBody, reason: "the server died")
        }
        guard let bytes = try await inner.receive() else { return nil }
        let count = left.withLock { left in
            let count = min(left.receiving, bytes.count)
            left.receiving -= count
            return count
        }
        return Array(bytes.prefix(count))
    }

    func close() { inner.close() }
}
