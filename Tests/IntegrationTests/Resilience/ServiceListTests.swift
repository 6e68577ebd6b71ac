import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

/// The interceptor list for services, over real sockets.
@Suite(.timeLimit(.minutes(5))) struct ServiceListTests {
    @Test(arguments: Wire.distinct)
    func `a burst that a healthy server answers in time loses no call and opens no circuit`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .text("x").delayed(by: .milliseconds(100)) }
        let changes = Locked<[CircuitState]>([])
        let breaker = CircuitBreaker { _, state in changes.withLock { $0.append(state) } }
        try await wire.withTransport(connections: 64) { transport in
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            let plain = HTTPClient(baseURL: server.url, configuration: configuration)
            let began = ContinuousClock.now
            try await rounds(500) { _ in try await plain.send(.get("/")) }
            // A busy machine takes longer for both. Six at a time would take eight seconds on an idle machine.
            configuration.deadline = max(.seconds(5), (ContinuousClock.now - began) * 4)
            let client = HTTPClient(
                baseURL: server.url, interceptors: .service(breaker: breaker), configuration: configuration)
            let failures = Locked(0)
            try await rounds(500) { _ in
                do { try await client.send(.get("/")) } catch { failures.withLock { $0 += 1 } }
            }
            #expect(failures.withLock { $0 } <= 10)
        }
        #expect(changes.withLock { $0 }.isEmpty)
    }

    @Test(arguments: Wire.distinct)
    func `the error of a deadline that passed in the transport's queue tells so`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let barrier = LoopbackBarrier()
        server.enqueue(LoopbackResponse.text("first").held(by: barrier))
        try await wire.withTransport(connections: 1) { transport in
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            let client = HTTPClient(baseURL: server.url, configuration: configuration)
            async let first = client.send(.get("/first"))
            try await barrier.arrivals(atLeast: 1)
            let error = await #expect(throws: NetworkError.self) {
                try await client.send(.get("/second").deadline(.milliseconds(200)))
            }
            let spent = error?.figures.timeSpent
            #expect(spent?.permit ?? .zero >= .milliseconds(150) && spent?.server == .zero)
            #expect(error?.reason.hasSuffix("most of its time went into the queue of the transport") == true)
            barrier.open()
            _ = try await first
        }
    }
}
