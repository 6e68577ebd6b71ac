import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineStreams
@testable import NetworkEngineTesting

/// Streams that remain open as long as their readers want, over every transport.
@Suite(.timeLimit(.minutes(10))) struct LongStreamTests {
    private static let event = "data: a\n\n"

    /// Provides a client with two permits, and a server with streams that remain open until the barrier opens.
    private func withClient(
        on wire: Wire,
        _ change: (inout NetworkConfiguration) -> Void = { _ in },
        _ body: (LoopbackServer, HTTPClient, LoopbackBarrier) async throws -> Void
    ) async throws {
        let barrier = LoopbackBarrier()
        let server = try LoopbackServer { request in
            if request.path == "/plain" { return .text("plain") }
            return LoopbackResponse.data(Data((Self.event + Self.event).utf8), type: "text/event-stream")
                .held(by: barrier, at: .responseBody(afterBytes: Self.event.utf8.count))
        }
        try await wire.withTransport(connections: 2) { transport in
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            change(&configuration)
            try await body(server, HTTPClient(baseURL: server.url, configuration: configuration), barrier)
        }
    }

    @Test(arguments: Wire.distinct)
    func `open event streams take no permits from other calls or streams`(wire: Wire) async throws {
        try await withClient(on: wire) { server, client, _ in
            var open: [ServerSentEvents.Iterator] = []
            for _ in 0..<6 {
                var events = client.events(.get("/events")).makeAsyncIterator()
                let event = try await events.next()
                #expect(event?.data == "a")
                open.append(events)
            }
            for _ in 0..<6 {
                let data: Data = try await client.request(.get("/plain"))
                #expect(data == Data("plain".utf8))
            }
            #expect(server.record.requestCount == 12)
            withExtendedLifetime(open) {}
        }
    }

    @Test(arguments: Wire.distinct)
    func `open byte streams take no permits from other calls`(wire: Wire) async throws {
        try await withClient(on: wire) { _, client, barrier in
            var open: [ResponseStream] = []
            for _ in 0..<6 { open.append(try await client.stream(.get("/bytes"))) }
            let data: Data = try await client.request(.get("/plain"))
            #expect(data == Data("plain".utf8))
            barrier.open()
            for stream in open {
                var count = 0
                for try await chunk in stream { count += chunk.count }
                #expect(count == 2 * Self.event.utf8.count)
            }
        }
    }

    @Test(arguments: Wire.distinct)
    func `a quiet stream of events stays open, on the same connection`(wire: Wire) async throws {
        let clock = TestClock()
        try await withClient(on: wire, { ($0.clock, $0.timeout) = (clock, .seconds(60)) }) { server, client, barrier in
            let (first, cameFirst) = AsyncStream<Void>.makeStream()
            let reading = Task {
                var count = 0
                for try await _ in client.events(.get("/events")) {
                    count += 1
                    cameFirst.finish()
                    if count == 2 { break }
                }
            }
            for await _ in first {}
            for _ in 0..<20 { clock.advance(by: .seconds(60)) }
            barrier.open()
            try await reading.value
            #expect(server.record.requestCount == 1)
        }
    }

    @Test(arguments: Wire.distinct)
    func `a deadline limits no stream of events after its head, also over a reconnection`(wire: Wire) async throws {
        let clock = TestClock()
        try await withClient(
            on: wire, { ($0.clock, $0.deadline) = (clock, .milliseconds(500)) }
        ) { server, client, barrier in
            let (counts, counted) = AsyncStream<Int>.makeStream()
            let reading = Task {
                var count = 0
                for try await _ in client.events(.get("/events")) {
                    count += 1
                    counted.yield(count)
                    if count == 4 { break }
                }
                counted.finish()
            }
            // If the test exceeds its time limit, it must not wait for a clock that no longer advances.
            defer { reading.cancel() }
            for await count in counts {
                if count == 1 {
                    clock.advance(by: .seconds(60))
                    barrier.open()
                }
                if count == 2 {
                    await clock.untilSleeping(within: .seconds(3))
                    clock.advance(by: .seconds(3))
                }
            }
            try await reading.value
            #expect(server.record.requestCount == 2)
        }
    }

    @Test(arguments: Wire.distinct)
    func `every silence beyond the idle timeout starts another connection`(wire: Wire) async throws {
        let clock = TestClock()
        try await withClient(on: wire, { $0.clock = clock }) { server, client, _ in
            var events = client.events(.get("/events"))
            events.idleTimeout = .seconds(1)
            events.reconnectLimit = 2
            let (counts, counted) = AsyncStream<Int>.makeStream()
            let reading = Task { [events] in
                var count = 0
                for try await _ in events {
                    count += 1
                    counted.yield(count)
                    if count == 5 { break }
                }
                counted.finish()
            }
            // If the test exceeds its time limit, it must not wait for a clock that no longer advances.
            defer { reading.cancel() }
            for await count in counts where count < 5 {
                await clock.untilSleeping(within: .milliseconds(1_500))
                clock.advance(by: .seconds(1))
                await clock.untilSleeping(within: .seconds(5))
                clock.advance(by: .seconds(3))
            }
            try await reading.value
            #expect(server.record.requestCount == 5)
        }
    }
}
