import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Cancellation and shutdown, over every transport.
@Suite(.timeLimit(.minutes(5))) struct TransportCancellationTests {
    @Test(
        arguments: Wire.all,
        [
            LoopbackPoint.requestHead, .responseStart, .responseHead(afterBytes: 5), .responseBody(afterBytes: 1),
        ])
    func `a canceled task ends at once and closes its connection`(wire: Wire, point: LoopbackPoint) async throws {
        let server = try LoopbackServer()
        let barrier = LoopbackBarrier()
        server.enqueue(LoopbackResponse.text("hello").held(by: barrier, at: point))
        try await wire.withTransport { transport in
            let task = Task { try await transport.send(server.request()) }
            try await barrier.arrivals(atLeast: 1)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await server.wait { $0.openConnections == 0 }
        }
    }

    @Test(arguments: Wire.all) func `a task that is already canceled sends nothing`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .text("x") }
        try await wire.withTransport { transport in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await transport.send(server.request())
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            _ = try await transport.send(server.request("after"))
        }
        #expect(server.requests.map(\.path) == ["/after"])
    }

    @Test(arguments: Wire.all) func `a request that is canceled in the queue takes no permit`(wire: Wire)
        async throws
    {
        let server = try LoopbackServer { _ in .text("x") }
        let barrier = LoopbackBarrier()
        server.enqueue(LoopbackResponse.text("first").held(by: barrier))
        try await wire.withTransport(connections: 1) { transport in
            async let first = transport.send(server.request("first"))
            try await barrier.arrivals(atLeast: 1)
            let tasks = (0..<50).map { _ in Task { try await transport.send(server.request("queued")) } }
            for task in tasks { task.cancel() }
            for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
            async let last = transport.send(server.request("last"))
            barrier.open()
            _ = try await (first, last)
        }
        #expect(server.requests.map(\.path) == ["/first", "/last"])
    }

    @Test(arguments: Wire.all) func `hundreds of exchanges that are canceled at different times all end`(wire: Wire)
        async throws
    {
        let server = try LoopbackServer { _ in .text("hello") }
        var random = SeededGenerator(seed: 15)
        let waits = (0..<400).map { _ in Int.random(in: 0..<3000, using: &random) }
        try await wire.withTransport { transport in
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for wait in waits {
                    group.addTask {
                        let task = Task { try await transport.send(server.request()).text }
                        for _ in 0..<wait { await Task.yield() }
                        task.cancel()
                        switch await task.result {
                        case .success(let text): return text == "hello"
                        case .failure(let error): return error is CancellationError
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count == 400 && outcomes.allSatisfy { $0 })
            let response = try await transport.send(server.request())
            #expect(response.text == "hello")
        }
    }

    @Test(arguments: Wire.all) func `shutting down ends running and queued requests and refuses new ones`(wire: Wire)
        async throws
    {
        let server = try LoopbackServer()
        let barrier = LoopbackBarrier()
        server.enqueue(LoopbackResponse.text("never").held(by: barrier))
        let (transport, shutDown) = wire.open(1)
        do {
            async let running = transport.failure(of: server.request("running"))
            try await barrier.arrivals(atLeast: 1)
            async let waiting = transport.failure(of: server.request("waiting"))
            shutDown()
            shutDown()
            let ended = try await running
            #expect(ended.kind == .cancelled && ended.reason == "the transport was shut down")
            // This request was queued, or came too late.
            #expect([.cancelled, .unsupported].contains(try await waiting.kind))
            let late = try await transport.failure(of: server.request("late"))
            #expect(late.kind == .unsupported && late.reason.contains("was shut down"))
            let refusal = #expect(throws: NetworkError.self) { try transport.validate() }
            #expect(refusal?.kind == .unsupported && refusal?.reason == late.reason)
        }
        #expect(server.requests.map(\.path) == ["/running"])
        try await server.wait { $0.openConnections == 0 }
    }

    @Test(arguments: Wire.all) func `dropping a transport cancels nothing`(wire: Wire) async throws {
        let server = try LoopbackServer()
        let barrier = LoopbackBarrier()
        server.enqueue(LoopbackResponse.text("kept").held(by: barrier))
        var transport: (any Transport)? = wire.open(6).transport
        let task = Task { [transport] in try await transport?.send(server.request()) }
        try await barrier.arrivals(atLeast: 1)
        transport = nil
        barrier.open()
        let response = try await task.value
        #expect(response?.text == "kept")
    }
}
