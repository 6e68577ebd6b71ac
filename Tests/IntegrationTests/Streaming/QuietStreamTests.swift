import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Streams with few bytes. Apple's sessions hold back some heads until 512 bytes have arrived.
@Suite(.timeLimit(.minutes(5))) struct QuietStreamTests {
    private let clock = TestClock()
    private let barrier = LoopbackBarrier()
    private let body = String(repeating: "x", count: 600)

    private func withStream(
        over wire: Wire,
        _ change: @escaping @Sendable (LoopbackResponse) -> LoopbackResponse = { $0 },
        _ check: (Task<ResponseStream, any Error>) async throws -> Void
    ) async throws {
        let response = change(.text(body).held(by: barrier, at: .responseBody(afterBytes: 10)))
        let server = try LoopbackServer { _ in response }
        try await wire.withTransport { transport in
            var configuration = NetworkConfiguration()
            (configuration.transport, configuration.clock, configuration.timeout) = (transport, clock, .seconds(10))
            let provider = NetworkProvider<FileTarget>(configuration: configuration)
            let target = FileTarget(server: server, path: "/quiet", method: .get, task: .requestPlain)
            let call = Task { try await provider.stream(target) }
            try await barrier.arrivals(atLeast: 1)
            try await check(call)
        }
    }

    @Test(arguments: Wire.distinct)
    func `a stream whose head is held back does not end at its timeout`(wire: Wire) async throws {
        try await withStream(over: wire) { call in
            #if canImport(FoundationNetworking)
            // The head arrives immediately, and the timeout runs only while a reader waits.
            _ = try await call.value
            #endif
            clock.advance(by: .seconds(60))
            barrier.open()
            var count = 0
            for try await chunk in try await call.value { count += chunk.count }
            #expect(count == 600)
        }
    }

    @Test(arguments: Wire.distinct)
    func `nosniff delivers the head of a quiet stream`(wire: Wire) async throws {
        try await withStream(over: wire, { $0.header("X-Content-Type-Options", "nosniff") }) { call in
            let stream = try await call.value
            barrier.open()
            var count = 0
            for try await chunk in stream { count += chunk.count }
            #expect(count == 600)
        }
    }
}
