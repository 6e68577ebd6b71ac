import Foundation
import NetworkEngineGraphQL
import NetworkEngineGraphQLSocket
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

/// Many subscriptions over real sockets that are lost occasionally.
@Suite(.timeLimit(.minutes(10)), .enabled(if: CurlTransport.isAvailable, "there is no libcurl"))
struct SubscriptionStormTests {
    /// Answers subscriptions with the numbers below the one in their document, and drops some connections.
    private static func serve(_ peer: SocketPeer, lossAfter limit: Int?) async throws {
        try await peer.acknowledge()
        var sent = 0
        while let message = try await peer.receive() {
            guard message.type == "subscribe", let id = message.id, let count = message.query.flatMap(Int.init) else {
                continue
            }
            for number in 0..<count {
                try await peer.next(id, number)
                sent += 1
                if let limit, sent == limit { return await peer.socket.close(code: 1011) }
            }
            try await peer.complete(id)
        }
    }

    private enum End: Equatable { case completed, left, canceled }

    /// Subscribes once. Returns the numbers that arrived, and how the subscription ended.
    private func subscribe(_ client: GraphQLClient, number: Int) async throws -> (seen: [Int], end: End) {
        let values = client.subscribe(to: GraphQLOperation(document: "\(20 + number % 7)"), as: Count.self)
        switch number % 4 {
        case 0:
            var seen: [Int] = []
            for try await value in values {
                seen.append(value.count)
                if value.count == number % 5 { return (seen, .left) }
            }
            return (seen, .completed)
        case 1:
            let task = Task { try await values.all() }
            if number % 8 == 1 { await Task.yield() }
            task.cancel()
            do {
                return (try await task.value, .completed)
            } catch let error as GraphQLError where error.networkError?.kind == .cancelled {
                return ([], .canceled)
            }
        default: return (try await values.all(), .completed)
        }
    }

    @Test func `each of many subscriptions ends once, whatever happens to the others and to the connection`()
        async throws
    {
        let connections = Locked(0)
        let server = try LoopbackServer { _ in
            .webSocket(protocol: "graphql-transport-ws") { socket in
                let number = connections.withLock {
                    $0 += 1
                    return $0
                }
                // The first connections are lost, each later than the one before.
                try await Self.serve(SocketPeer(socket: socket), lossAfter: number < 12 ? number * 37 : nil)
            }
        }
        var options = GraphQLSocketOptions()
        options.reconnecting.backoff = .constant(.milliseconds(1))
        options.reconnecting.failureLimit = nil
        var configuration = NetworkConfiguration()
        configuration.transport = CurlTransport()
        let httpClient = HTTPClient(baseURL: server.url, configuration: configuration)
        let client = GraphQLClient(httpClient: httpClient, subscriptions: .webSocket(options))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<300 {
                group.addTask {
                    let (seen, end) = try await subscribe(client, number: number)
                    // After a lost connection, the server starts from the beginning.
                    let last = end == .completed ? 19 + number % 7 : end == .left ? number % 5 : seen.last
                    #expect(seen.last == last)
                    for (one, next) in zip(seen, seen.dropFirst()) { #expect(next == one + 1 || next == 0) }
                }
            }
            try await group.waitForAll()
        }
        _ = try await server.wait { $0.openConnections == 0 }
        #expect(connections.withLock { $0 } >= 2)
    }

    private final class Token: Sendable {}

    @Test func `subscriptions that are canceled at any moment leave nothing behind`() async throws {
        let server = try LoopbackServer { _ in
            .webSocket(protocol: "graphql-transport-ws") { socket in
                try await Self.serve(SocketPeer(socket: socket), lossAfter: nil)
            }
        }
        weak var left: Token?
        do {
            let token = Token()
            left = token
            var options = GraphQLSocketOptions()
            options.payload = {
                withExtendedLifetime(token) {}
                return nil
            }
            var configuration = NetworkConfiguration()
            configuration.transport = CurlTransport()
            let httpClient = HTTPClient(baseURL: server.url, configuration: configuration)
            let client = GraphQLClient(httpClient: httpClient, subscriptions: .webSocket(options))
            for number in 0..<300 {
                let task = Task { try await subscribe(client, number: 2).seen.count }
                // A random delay, not a wait for an event.
                for _ in 0..<number % 50 { await Task.yield() }
                if number % 7 == 0 { try await Task.sleep(for: .microseconds(number * 13)) }
                task.cancel()
                _ = await task.result
            }
        }
        _ = try await server.wait { $0.openConnections == 0 }
        while left != nil { await Task.yield() }
    }
}
