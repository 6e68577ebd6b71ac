import Foundation
import NetworkEngineGraphQL
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineStreams
@testable import NetworkEngineTesting

/// Readers that stop early, over every transport.
@Suite(.timeLimit(.minutes(10))) struct LeavingStreamTests {
    private struct Number: Decodable, Equatable, Sendable { let n: Int }

    /// One element for each kind of sequence, and then silence.
    private static func answer(to path: String) -> (type: String, text: String) {
        switch path {
        case "/events": ("text/event-stream", "data: {\"n\": 1}\n\n")
        case "/graphql": ("text/event-stream", "event: next\ndata: {\"data\": {\"n\": 1}}\n\n")
        default: ("text/plain", "{\"n\": 1}\n")
        }
    }

    /// Provides a client with few permits, and a server with streams that remain open.
    private func withClient(
        on wire: Wire,
        places: Int = 1,
        _ body: (LoopbackServer, HTTPClient) async throws -> Void
    ) async throws {
        let barrier = LoopbackBarrier()
        let server = try LoopbackServer { request in
            if request.path == "/plain" { return .text("plain") }
            let (type, text) = Self.answer(to: request.path)
            return LoopbackResponse.data(Data((text + "more").utf8), type: type)
                .held(by: barrier, at: .responseBody(afterBytes: text.utf8.count))
        }
        try await wire.withTransport(connections: places) { transport in
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            try await body(server, HTTPClient(baseURL: server.url, configuration: configuration))
        }
    }

    /// Waits until all of a stream's connections are closed, and another call can start.
    private func expectEnd(_ server: LoopbackServer, _ client: HTTPClient) async throws {
        _ = try await server.wait { $0.openConnections == 0 }
        let data: Data = try await client.request(.get("/plain"))
        #expect(data == Data("plain".utf8))
    }

    @Test(arguments: Wire.distinct)
    func `leaving the loop over chunks ends the exchange while the stream is in scope`(wire: Wire) async throws {
        try await withClient(on: wire) { server, client in
            let stream = try await client.stream(.get("/chunks"))
            for try await _ in stream { break }
            try await expectEnd(server, client)
            withExtendedLifetime(stream) {}
        }
    }

    @Test(arguments: Wire.distinct)
    func `leaving the loop over lines ends the exchange while stream and lines are in scope`(wire: Wire) async throws {
        try await withClient(on: wire) { server, client in
            let stream = try await client.stream(.get("/lines"))
            let lines = stream.lines()
            for try await line in lines {
                #expect(line == "{\"n\": 1}")
                break
            }
            try await expectEnd(server, client)
            withExtendedLifetime((stream, lines)) {}
        }
    }

    @Test(arguments: Wire.distinct)
    func `leaving the loop over documents ends the exchange while stream and documents are in scope`(
        wire: Wire
    ) async throws {
        try await withClient(on: wire) { server, client in
            let stream = try await client.stream(.get("/documents"))
            let documents = stream.jsonLines(as: Number.self)
            for try await document in documents {
                #expect(document == Number(n: 1))
                break
            }
            try await expectEnd(server, client)
            withExtendedLifetime((stream, documents)) {}
        }
    }

    @Test(arguments: Wire.distinct)
    func `leaving the loop over events ends the exchange while the events are in scope`(wire: Wire) async throws {
        try await withClient(on: wire) { server, client in
            let events = client.events(.get("/events"))
            for try await event in events {
                #expect(event.data == "{\"n\": 1}")
                break
            }
            try await expectEnd(server, client)
            withExtendedLifetime(events) {}
        }
    }

    @Test(arguments: Wire.distinct)
    func `leaving the loop over a subscription ends the exchange while the subscription is in scope`(
        wire: Wire
    ) async throws {
        try await withClient(on: wire) { server, client in
            let subscription = GraphQLClient(httpClient: client)
                .subscribe(to: GraphQLOperation(document: "subscription { n }"), as: Number.self)
            for try await value in subscription {
                #expect(value == Number(n: 1))
                break
            }
            try await expectEnd(server, client)
            withExtendedLifetime(subscription) {}
        }
    }

    @Test(arguments: Wire.distinct)
    func `readers that are canceled between two chunks return both permits of a host`(wire: Wire) async throws {
        try await withClient(on: wire, places: 2) { server, client in
            var streams: [ResponseStream] = []
            for _ in 0..<2 {
                let stream = try await client.stream(.get("/chunks"))
                streams.append(stream)
                let reading = Task {
                    for try await _ in stream { withUnsafeCurrentTask { $0?.cancel() } }
                }
                let error = await #expect(throws: NetworkError.self) { try await reading.value }
                #expect(error?.kind == .cancelled)
            }
            try await expectEnd(server, client)
            withExtendedLifetime(streams) {}
        }
    }

    @Test(arguments: Wire.distinct)
    func `a second reader of an abandoned stream gets an error, not an end`(wire: Wire) async throws {
        try await withClient(on: wire) { _, client in
            let stream = try await client.stream(.get("/chunks"))
            for try await _ in stream { break }
            let error = await #expect(throws: NetworkError.self) { for try await _ in stream {} }
            #expect(error?.kind == .invalidRequest && error?.reason.contains("once") == true)
        }
    }

    @Test(arguments: Wire.distinct)
    func `a line beyond the limit ends the exchange while its reader is in scope`(wire: Wire) async throws {
        try await withClient(on: wire) { server, client in
            var lines = try await client.stream(.get("/lines")).lines(limit: 3).makeAsyncIterator()
            for attempt in 1...2 {
                do throws(NetworkError) {
                    _ = try await lines.next()
                    Issue.record("gave a line beyond the limit")
                } catch {
                    #expect(error.kind == .limit)
                }
                if attempt == 1 { try await expectEnd(server, client) }
            }
        }
    }
}
