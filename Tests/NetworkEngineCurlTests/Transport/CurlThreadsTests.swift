import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

/// Transports with several threads, which share the work from the second request on.
@Suite(.timeLimit(.minutes(5)), .needsCurl) struct CurlThreadsTests {
    private func withThreads<Value>(
        _ count: Int,
        requestsPerHost: Int = 64,
        _ change: (inout CurlConfiguration) -> Void = { _ in },
        _ body: (CurlTransport) async throws -> Value
    ) async throws -> Value {
        try await withTransport(
            requestsPerHost: requestsPerHost,
            {
                $0.threads = count
                $0.requestsUntilShared = 1
                change(&$0)
            }, body)
    }

    /// Thread counts.
    private static let counts = Array([4, 1, 2].prefix(TestLength.count(1, sanitized: 3, gate: 3, whole: 3)))

    @Test(arguments: counts) func `the limits hold for all threads together`(count: Int) async throws {
        let running = Locked((now: 0, most: 0))
        let server = try LoopbackServer { _ in
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            for _ in 0..<20 { await Task.yield() }
            running.withLock { $0.now -= 1 }
            return .text("x")
        }
        try await withThreads(count, requestsPerHost: 5) { transport in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<150 { group.addTask { _ = try await transport.send(server.request()) } }
                try await group.waitForAll()
            }
        }
        #expect(server.record.requestCount == 150)
        #expect((1...5).contains(running.withLock { $0.most }))
    }

    @Test(arguments: [2, 4]) func `what waits starts in order of priority, on any thread`(count: Int) async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let barrier = LoopbackBarrier()
        server.enqueue(LoopbackResponse.text("first").held(by: barrier))
        try await withThreads(count, requestsPerHost: 1) { transport in
            let log = EventLog()
            var configuration = NetworkConfiguration()
            (configuration.transport, configuration.observers) = (transport, [log])
            let client = HTTPClient(baseURL: server.url, configuration: configuration)
            async let first = client.send(.get("/first"))
            try await barrier.arrivals(atLeast: 1)
            var waiting: [Task<Void, any Error>] = []
            for priority in [TransportContext.Priority.low, .normal, .high, .low, .high] {
                var endpoint = Endpoint.get("/\(priority.rawValue)")
                endpoint.priority = priority
                waiting.append(Task { [endpoint] in _ = try await client.send(endpoint) })
                while log.names.count(where: { $0 == "queued" }) < waiting.count { await Task.yield() }
            }
            barrier.open()
            _ = try await first
            for task in waiting { try await task.value }
        }
        #expect(server.requests.map(\.path) == ["/first", "/2", "/2", "/1", "/0", "/0"])
    }

    @Test(arguments: counts) func `no caller falls behind the others`(count: Int) async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let total = 3_200
        try await withThreads(count, requestsPerHost: 8) { transport in
            let left = Locked(total)
            let shares = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<64 {
                    group.addTask {
                        var own = 0
                        while left.withLock({ $0.countDown() }) {
                            _ = try await transport.send(server.request())
                            own += 1
                        }
                        return own
                    }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(shares.reduce(0, +) == total)
            #expect(shares.min() ?? 0 >= 20 && shares.max() ?? 0 <= 150, "\(shares)")
        }
    }

    @Test(arguments: counts) func `after a storm of cancellations every exchange has ended`(count: Int)
        async throws
    {
        let server = try LoopbackServer { $0.path == "/never" ? .fault(.stall) : .text("ok") }
        try await withThreads(count, requestsPerHost: 20) { transport in
            let ends = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<600 {
                    group.addTask {
                        let isLost = number % 3 == 0
                        let exchange = Task { try await transport.send(server.request(isLost ? "never" : "now")) }
                        for _ in 0..<(number * 31 % 200) { await Task.yield() }
                        if isLost || number % 3 == 1 { exchange.cancel() }
                        switch await exchange.result {
                        case .success(let response): return response.text == "ok"
                        case .failure(let error): return number % 3 != 2 && error is CancellationError
                        }
                    }
                }
                return try await group.reduce(into: [Bool]()) { $0.append($1) }
            }
            #expect(ends.count == 600 && ends.allSatisfy { $0 })
            for _ in 0..<50 {
                let response = try await transport.send(server.request())
                #expect(response.text == "ok")
            }
        }
        try await server.wait { $0.openConnections == 0 }
    }

    @Test(arguments: counts) func `shutting down ends what runs and what waits, on every thread`(count: Int)
        async throws
    {
        let barrier = LoopbackBarrier()
        let server = try LoopbackServer { _ in .text("late").held(by: barrier) }
        var configuration = CurlConfiguration()
        (configuration.threads, configuration.requestsUntilShared) = (count, 1)
        configuration.requestsPerHost = 8
        let transport = CurlTransport(configuration: configuration)
        let exchanges = (0..<30).map { _ in Task { try await transport.send(server.request()) } }
        try await barrier.arrivals(atLeast: 8)
        transport.shutdown()
        for exchange in exchanges {
            let error = await #expect(throws: NetworkError.self) { try await exchange.value }
            #expect(error?.kind == .cancelled || error?.kind == .unsupported)
        }
        try await server.wait { $0.openConnections == 0 }
        await #expect(throws: NetworkError.self) { try await transport.send(server.request()) }
    }

    @Test(arguments: [true, false])
    func `two threads of transports may shut down the transport of each other at the same time`(isOne: Bool)
        async throws
    {
        let server = try LoopbackServer { _ in
            .data(Data(count: 1_000)).held(by: LoopbackBarrier(), at: .responseBody(afterBytes: 500))
        }
        try await withThreads(2) { one in
            try await withThreads(2) { other in
                // Each closure runs on one of the transport's threads, and waits there for the other.
                let both = Rendezvous()
                let pairs = isOne ? [(one, one), (one, one)] : [(one, other), (other, one)]
                let exchanges = pairs.map { pair in
                    let context = TransportContext { progress in
                        guard progress.direction == .receiving else { return }
                        both.meet()
                        pair.1.shutdown()
                    }
                    return Task { try await pair.0.send(server.request(), context: context) }
                }
                for exchange in exchanges { await #expect(throws: (any Error).self) { try await exchange.value } }
                #expect(both.hasMet)
            }
        }
    }

    @Test func `a slow reader on one thread does not slow the others down`() async throws {
        let server = try LoopbackServer { exchange in
            exchange.path == "/large" ? .data(Data(count: 20 << 20)) : .text("ok")
        }
        try await withThreads(2) { transport in
            let large = try await transport.send(server.request("large"), context: TransportContext(streamsBody: true))
            for _ in 0..<500 {
                let response = try await transport.send(server.request())
                #expect(response.text == "ok")
            }
            var count = 0
            guard case .stream(let stream) = large.body else {
                Issue.record("the body is streamed")
                return
            }
            for try await piece in stream { count += piece.count }
            #expect(count == 20 << 20)
        }
    }
}

#if os(Linux)
/// Each of these tests runs in a separate process, to count its threads and descriptors.
extension CurlThreadsTests {
    @Test func `each thread begins when there is work for it, and has connections of its own`() async {
        await #expect(processExitsWith: .success) {
            let barrier = LoopbackBarrier()
            let server = try LoopbackServer { $0.path == "/held" ? .text("x").held(by: barrier) : .text("x") }
            var configuration = CurlConfiguration()
            (configuration.threads, configuration.requestsUntilShared) = (4, 2)
            let transport = CurlTransport(configuration: configuration)
            #expect(try Self.loopCount() == 0)
            for _ in 0..<20 { _ = try await transport.send(server.request()) }
            #expect(try Self.loopCount() == 1)
            #expect(server.record.acceptedConnections == 1)
            let held = (0..<6).map { _ in Task { try await transport.send(server.request("held")) } }
            try await barrier.arrivals(atLeast: 6)
            #expect(try Self.loopCount() == 3)
            #expect(server.record.acceptedConnections == 6)
            barrier.open()
            for task in held { _ = try await task.value }
            for _ in 0..<20 { _ = try await transport.send(server.request()) }
            #expect(server.record.acceptedConnections == 6)
            transport.shutdown()
            // The kernel lists a thread for a moment after others were told that it has ended.
            while try Self.loopCount() > 0 { await Task.yield() }
        }
    }

    /// The number of transport threads in this process.
    private static func loopCount() throws -> Int {
        let threads = URL(fileURLWithPath: "/proc/self/task")
        return try FileManager.default.contentsOfDirectory(at: threads, includingPropertiesForKeys: nil).count {
            (try? String(contentsOf: $0.appendingPathComponent("comm"), encoding: .utf8)) == "NetworkEngine\n"
        }
    }

    @Test func `streams count as work of their thread`() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer { _ in .data(Data(count: 8 << 20)) }
            var configuration = CurlConfiguration()
            (configuration.threads, configuration.requestsUntilShared) = (2, 2)
            let transport = CurlTransport(configuration: configuration)
            var streams: [HTTPResponse] = []
            for _ in 0..<3 {
                streams.append(try await transport.send(server.request(), context: TransportContext(streamsBody: true)))
            }
            #expect(try Self.loopCount() == 2)
            streams = []
            transport.shutdown()
        }
    }

    @Test func `what a thread without descriptors cannot do is done by another`() async {
        await #expect(processExitsWith: .success) {
            let barrier = LoopbackBarrier()
            let server = try LoopbackServer { _ in .text("ok") }
            let busy = try LoopbackServer { _ in .text("late").held(by: barrier) }
            var configuration = CurlConfiguration()
            (configuration.threads, configuration.requestsUntilShared) = (2, 1)
            let transport = CurlTransport(configuration: configuration)
            _ = try await transport.send(server.request())
            let held = Task { try await transport.send(busy.request()) }
            try await barrier.arrivals(atLeast: 1)
            try await Descriptors.withOneFree {
                // The second thread would take these, and has no loop. The first has a connection.
                for _ in 0..<3 {
                    let response = try await transport.send(server.request())
                    #expect(response.text == "ok")
                }
            }
            #expect(server.record.acceptedConnections == 1)
            barrier.open()
            _ = try await held.value
            transport.shutdown()
        }
    }
}
#endif

/// A place where two threads wait for each other, up to a time limit.
private final class Rendezvous: Sendable {
    private let arrivals = Locked(0)
    private let signal = DispatchSemaphore(value: 0)

    var hasMet: Bool { arrivals.withLock { $0 >= 2 } }

    func meet() {
        let number = arrivals.withLock { count in
            count += 1
            return count
        }
        if number == 2 { signal.signal() }
        if number == 1 { _ = signal.wait(timeout: .now() + 60) }
    }
}

extension Int {
    /// Whether anything was left.
    fileprivate mutating func countDown() -> Bool {
        self -= 1
        return self >= 0
    }
}
