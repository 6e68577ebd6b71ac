import Foundation
import NetworkEngineGraphQL
import NetworkEngineGraphQLSocket
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineWebSocket

/// Tests subscriptions against an independent server.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(
        if: SubscriptionServer.isInstalled, "ariadne is not installed: .ci/run installs it")
)
struct RealSocketServerTests {
    private struct Tick: Decodable, Sendable { var tick: Int }
    private struct Who: Decodable, Sendable { var who: String }
    private struct Broken: Decodable, Sendable { var broken: Int }
    private struct Counters: Decodable, Sendable { var running: Int, connections: Int }

    private func client(
        _ server: SubscriptionServer,
        _ change: (inout GraphQLSocketOptions) -> Void = { _ in }
    ) -> GraphQLClient {
        var options = GraphQLSocketOptions()
        change(&options)
        var configuration = NetworkConfiguration()
        configuration.transport = CurlTransport()
        let httpClient = HTTPClient(baseURL: server.url, configuration: configuration)
        return GraphQLClient(httpClient: httpClient, path: "/", subscriptions: .webSocket(options))
    }

    private func counting(to limit: Int) -> GraphQLOperation {
        GraphQLOperation(
            document: "subscription Counting($to: Int!) { count(to: $to) }", variables: ["to": .int(limit)],
            operationName: "Counting")
    }

    @Test func `a server completes subscriptions that share a connection`() async throws {
        let server = try await SubscriptionServer()
        defer { withExtendedLifetime(server) {} }
        let client = client(server)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for limit in 0..<40 {
                group.addTask {
                    let values = client.subscribe(to: counting(to: limit * 10), as: Count.self)
                    let seen = try await values.all()
                    #expect(seen == Array(0..<(limit * 10)))
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `a subscription that is left ends at the server, and the others continue`() async throws {
        let server = try await SubscriptionServer()
        defer { withExtendedLifetime(server) {} }
        let client = client(server)
        let ticks = GraphQLOperation(document: "subscription { tick }")
        var other = client.subscribe(to: ticks, as: Tick.self).makeAsyncIterator()
        for number in 0..<3 { #expect(try await other.next()?.tick == number) }
        for try await value in client.subscribe(to: ticks, as: Tick.self) { if value.tick == 3 { break } }
        while try await counters(client).running != 1 { await Task.yield() }
        for number in 3..<6 { #expect(try await other.next()?.tick == number) }
    }

    private func counters(_ client: GraphQLClient) async throws -> Counters {
        try await client.execute(GraphQLOperation(document: "{ running connections }"))
    }

    @Test func `the connection is closed when no subscription is left`() async throws {
        let server = try await SubscriptionServer()
        defer { withExtendedLifetime(server) {} }
        let client = client(server)
        let ticks = GraphQLOperation(document: "subscription { tick }")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    for try await value in client.subscribe(to: ticks, as: Tick.self) { if value.tick == 2 { break } }
                }
            }
            try await group.waitForAll()
        }
        while try await counters(client).connections != 0 { await Task.yield() }
    }

    @Test func `a server gets the payload, and can refuse it`() async throws {
        let server = try await SubscriptionServer()
        defer { withExtendedLifetime(server) {} }
        let who = GraphQLOperation(document: "subscription { who }")
        let known = client(server) { $0.payload = { ["token": "Ada"] } }
        for try await value in known.subscribe(to: who, as: Who.self) { #expect(value.who == "Ada") }
        let revoked = client(server) { $0.payload = { ["token": "revoked"] } }
        let error = await #expect(throws: GraphQLError.self) {
            for try await _ in revoked.subscribe(to: who, as: Who.self) {}
        }
        // This server refuses with the code for a normal end.
        #expect((error?.networkError?.underlying as? WebSocketClose)?.code == 1000)
    }

    @Test func `errors of a server are thrown with their messages`() async throws {
        let server = try await SubscriptionServer()
        defer { withExtendedLifetime(server) {} }
        let client = client(server)
        var values = client.subscribe(to: GraphQLOperation(document: "subscription { broken }"), as: Broken.self)
            .makeAsyncIterator()
        #expect(try await values.next()?.broken == 1)
        do {
            while try await values.next() != nil {}
            Issue.record("the server's error is missing")
        } catch {
            #expect(error.kind == .responseErrors && error.messages.count == 1)
        }
        let refused = await #expect(throws: GraphQLError.self) {
            let operation = GraphQLOperation(document: "subscription { nope }")
            _ = try await client.subscribe(to: operation, as: Count.self).all()
        }
        #expect(refused?.kind == .responseErrors && refused?.errors.first?.locations?.first?.line == 1)
    }
}
