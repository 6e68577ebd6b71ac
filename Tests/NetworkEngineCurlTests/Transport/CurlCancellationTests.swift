import Foundation
import NetworkEngine
import NetworkEngineCurl
import NetworkEngineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)), .needsCurl) struct CurlCancellationTests {
    @Test(arguments: [
        LoopbackPoint.requestHead, .responseStart, .responseHead(afterBytes: 5), .responseBody(afterBytes: 1),
    ])
    func `a cancelled task ends at once, and its connection after it`(point: LoopbackPoint) async throws {
        let server = try LoopbackServer()
        let barrier = LoopbackBarrier()
        server.enqueue(LoopbackResponse.text("hello").held(by: barrier, at: point))
        try await withTransport { transport in
            let task = Task { try await transport.send(server.request()) }
            try await barrier.arrivals(atLeast: 1)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await server.wait { $0.openConnections == 0 }
        }
    }

    @Test func `a task that is cancelled already sends nothing`() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        try await withTransport { transport in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await transport.send(server.request())
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            _ = try await transport.send(server.request("after"))
        }
        #expect(server.requests.map(\.path) == ["/after"])
    }

    @Test func `a cancelled download leaves no file behind`() async throws {
        let server = try LoopbackServer()
        let barrier = LoopbackBarrier()
        server.enqueue(LoopbackResponse.text("hello").held(by: barrier, at: .responseBody(afterBytes: 2)))
        try await withTemporaryFile { place in
            try await withTransport { transport in
                let context = TransportContext(destination: .file(place))
                let task = Task { try await transport.send(server.request(), context: context) }
                try await barrier.arrivals(atLeast: 1)
                #expect(FileManager.default.fileExists(atPath: place.path))
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
                #expect(!FileManager.default.fileExists(atPath: place.path))
            }
        }
    }

    @Test func `cancelled in the queue, a request leaves it and takes nobody's place`() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let barrier = LoopbackBarrier()
        server.enqueue(LoopbackResponse.text("first").held(by: barrier))
        try await withTransport(requestsPerHost: 1) { transport in
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

    @Test func `L17: hundreds of exchanges, each cancelled at another instant, all end`() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        var random = SeededGenerator(seed: 15)
        let waits = (0..<400).map { _ in Int.random(in: 0..<3000, using: &random) }
        try await withTransport { transport in
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

    @Test func `shutting down ends what runs and what waits, and refuses what comes`() async throws {
        let server = try LoopbackServer()
        let barrier = LoopbackBarrier()
        server.enqueue(LoopbackResponse.text("never").held(by: barrier))
        try await withTransport(requestsPerHost: 1) { transport in
            async let running = transport.failure(of: server.request("running"))
            try await barrier.arrivals(atLeast: 1)
            let waiting = Task { try await transport.failure(of: server.request("waiting")) }
            transport.shutdown()
            transport.shutdown()
            let errors = [
                try await running, try await waiting.value, try await transport.failure(of: server.request("late")),
            ]
            #expect(errors.allSatisfy { $0.kind == .cancelled })
            #expect(Set(errors.map(\.reason)) == ["the transport was shut down"])
        }
        #expect(server.requests.map(\.path) == ["/running"])
        try await server.wait { $0.openConnections == 0 }
    }

    /// In a process of its own, where no other test takes the threads that a cancelled task goes on with.
    @Test func `cancelling takes less than ten milliseconds, on both ends`() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer { _ in .fault(.stall) }
            try await withTransport { transport in
                var times: [Duration] = []
                for _ in 0..<21 {
                    let seen = server.record.requestCount
                    let task = Task { try await transport.send(server.request()) }
                    try await server.wait { $0.requestCount > seen }
                    let start = ContinuousClock.now
                    task.cancel()
                    _ = await task.result
                    times.append(ContinuousClock.now - start)
                }
                // The best of them: what else runs on the machine is no fault of ours.
                try #require(times.min() ?? .zero < .milliseconds(10))
            }
        }
    }
}
