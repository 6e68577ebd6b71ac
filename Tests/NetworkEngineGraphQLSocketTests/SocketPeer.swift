import Foundation
import TestSupport

@testable import NetworkEngine
@testable import NetworkEngineGraphQL
@testable import NetworkEngineGraphQLSocket
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

/// The server's end of a connection for subscriptions.
struct SocketPeer: Sendable {
    struct Message: Decodable, Equatable, Sendable {
        var type: String
        var id: String?
        var payload: [String: GraphQLVariable]?

        var query: String? { if case .string(let query) = payload?["query"] { query } else { nil } }
    }

    let socket: WebSocket

    /// The client's next message; `nil` at the end.
    func receive() async throws -> Message? {
        var messages = socket.messages.makeAsyncIterator()
        guard let message = try await messages.next() else { return nil }
        return try JSONDecoder().decode(Message.self, from: message.data)
    }

    /// Waits for a message of the given type, and returns it. Skips others.
    @discardableResult
    func expect(_ type: String) async throws -> Message {
        while let message = try await receive() { if message.type == type { return message } }
        throw CancellationError()
    }

    func send(_ json: String) async throws { try await socket.send(.text(json)) }

    /// Acknowledges the connection.
    func acknowledge() async throws {
        try await expect("connection_init")
        try await send(#"{"type":"connection_ack"}"#)
    }

    /// Acknowledges the connection, and returns the first subscription's identifier.
    func start() async throws -> String {
        try await acknowledge()
        return try await expect("subscribe").id ?? ""
    }

    func next(_ id: String, _ count: Int) async throws {
        try await send(#"{"id":"\#(id)","type":"next","payload":{"data":{"count":\#(count)}}}"#)
    }

    func complete(_ id: String) async throws { try await send(#"{"id":"\#(id)","type":"complete"}"#) }

    /// Waits until the client has ended the connection.
    func waitForEnd() async { while (try? await receive()) != nil {} }
}

/// The values of the subscriptions.
struct Count: Decodable, Equatable, Sendable { var count: Int }

/// A client with a closure that serves each of its connections, one after another.
struct SocketRig: Sendable {
    typealias Connection = @Sendable @concurrent (SocketPeer) async throws -> Void

    let clock = TestClock()
    let transport: MockTransport
    let client: GraphQLClient

    init(_ connection: @escaping Connection) { self.init(serving: [connection]) }

    init(
        protocol name: String? = "graphql-transport-ws",
        serving connections: [Connection],
        interceptors: [any RequestInterceptor] = [],
        _ change: (inout GraphQLSocketOptions) -> Void = { _ in }
    ) {
        transport = MockTransport()
        transport.on().answers(
            connections.map { body in .webSocket(protocol: name) { try await body(SocketPeer(socket: $0)) } })
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        var options = GraphQLSocketOptions()
        options.reconnecting.clock = clock
        options.reconnecting.backoff = .constant(.seconds(1))
        change(&options)
        let httpClient = HTTPClient(baseURL: API.base, interceptors: interceptors, configuration: configuration)
        client = GraphQLClient(httpClient: httpClient, subscriptions: .webSocket(path: "/socket", options))
    }

    func counts(_ document: String = "subscription { count }") -> GraphQLSubscription<Count> {
        client.subscribe(to: GraphQLOperation(document: document))
    }

    /// Lets the pause before the next connection elapse.
    func passPause(_ duration: Duration = .seconds(1)) async {
        await clock.untilSleeping(within: duration)
        clock.advance(by: duration)
    }
}

extension GraphQLSubscription<Count> {
    func all() async throws -> [Int] {
        var counts: [Int] = []
        for try await value in self { counts.append(value.count) }
        return counts
    }
}

extension GraphQLSubscription<Count>.Iterator {
    /// The error that ends the values.
    @concurrent
    mutating func failure() async -> GraphQLError? {
        do throws(GraphQLError) {
            _ = try await next()
            return nil
        } catch {
            return error
        }
    }
}
