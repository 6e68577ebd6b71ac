import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Rejects every request that was queued.
private struct Refusal: Departure {
    func refusal(of request: HTTPRequest) -> NetworkError? { .cancelled(request) }
    func begin(_ request: HTTPRequest) -> NetworkError? { .cancelled(request) }
    func end() {}
}

/// Connection limits and their queue, over every transport.
@Suite(.timeLimit(.minutes(5))) struct TransportAdmissionTests {
    @Test(arguments: Wire.all) func `no more requests run than connections are allowed, and all finish`(wire: Wire)
        async throws
    {
        let server = try LoopbackServer { _ in .text("x") }
        try await wire.withTransport(connections: 3) { transport in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 { group.addTask { _ = try await transport.send(server.request()) } }
                try await group.waitForAll()
            }
        }
        #expect(server.record.requestCount == 100)
        #expect(server.record.acceptedConnections <= 3)
    }

    @Test(arguments: Wire.all) func `the timeout of an attempt does not run in the queue`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let barrier = LoopbackBarrier()
        server.enqueue(LoopbackResponse.text("first").held(by: barrier), .fault(.stall))
        let timers = TimerQueue(timebase: .reading(ContinuousClock()))
        let context = TransportContext()
            .limited(by: ExchangeTimeout(timeout: .milliseconds(1), timers: timers))
        try await wire.withTransport(connections: 1) { transport in
            async let first = transport.send(server.request())
            try await barrier.arrivals(atLeast: 1)
            async let second = transport.failure(of: server.request(), context: context)
            let other = try LoopbackServer { _ in .text("time passes") }
            for _ in 0..<20 { _ = try await transport.send(other.request()) }
            barrier.open()
            let error = try await (first, second).1
            #expect(error.kind == .timeout && error.transportFailure != .timeout(.queue))
            // libcurl also reports the phases before the response.
            if !wire.isCurl { #expect(error.transportFailure == .timeout(.response)) }
        }
    }

    @Test(arguments: Wire.all) func `a refresh runs while all permits are taken, then priorities count`(wire: Wire)
        async throws
    {
        let server = try LoopbackServer { _ in .text("x") }
        let barrier = LoopbackBarrier()
        server.enqueue(LoopbackResponse.text("first").held(by: barrier))
        try await wire.withTransport(connections: 1) { transport in
            async let first = transport.send(server.request("first"))
            try await barrier.arrivals(atLeast: 1)
            let waiting = [TransportContext.Priority.low, .normal, .high].map { priority in
                Task { try await transport.send(server.request("\(priority)"), context: .init(priority: priority)) }
            }
            _ = try await transport.send(server.request("refresh"), context: TransportContext(isRefresh: true))
            barrier.open()
            _ = try await first
            for task in waiting { _ = try await task.value }
        }
        #expect(server.requests.map(\.path).prefix(2) == ["/first", "/refresh"])
        #expect(server.record.requestCount == 5)
    }

    @Test(arguments: Wire.distinct) func `any number of waiting calls may be refused at once`(wire: Wire) async throws {
        let count = TestLength.count(5_000, gate: 20_000, whole: 20_000)
        let server = try LoopbackServer { _ in .text("x") }
        let barrier = LoopbackBarrier()
        server.enqueue(LoopbackResponse.text("first").held(by: barrier))
        let departed = TransportContext().changed { $0.departure = Refusal() }
        try await wire.withTransport(connections: 1) { transport in
            async let first = transport.send(server.request())
            try await barrier.arrivals(atLeast: 1)
            let begun = Tally()
            let waiting = (0..<count).map { _ in
                Task {
                    begun.add()
                    return try await transport.failure(of: server.request(), context: departed).kind
                }
            }
            await begun.wait { $0 == count }
            barrier.open()
            _ = try await first
            for call in waiting { #expect(try await call.value == .cancelled) }
        }
        #expect(server.record.requestCount == 1)
    }
}
