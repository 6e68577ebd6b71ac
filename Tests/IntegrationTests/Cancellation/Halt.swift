import Foundation
import TestSupport

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A call over real sockets that reaches a given phase and stops there.
struct Halt {
    enum Phase: CaseIterable { case adapt, intercept, queue, connect, head, body, backoff }

    let phase: Phase
    let provider: NetworkProvider<ParityTarget>
    let target: ParityTarget
    let probe: Probe
    let server: LoopbackServer
    private let clock = TestClock()
    private let barrier = LoopbackBarrier()

    init(in phase: Phase) async throws {
        self.phase = phase
        server = try LoopbackServer { _ in .status(200) }
        let session = URLSessionConfiguration.ephemeral
        session.httpMaximumConnectionsPerHost = 1
        let transport = URLSessionTransport(configuration: session)
        probe =
            switch phase {
            case .adapt: Probe(stoppingIn: .adapt)
            case .intercept: Probe(stoppingIn: .intercept)
            case .backoff: Probe(advice: .retryAfter(.seconds(7)))
            default: Probe()
            }
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        configuration.clock = clock
        provider = NetworkProvider(interceptor: probe, configuration: configuration)
        target = ParityTarget(baseURL: server.url, wire: transport)
        switch phase {
        case .adapt, .intercept: break
        case .queue:
            server.enqueue(.status(200).held(by: barrier))
            _ = NetworkProvider<ParityTarget>(configuration: configuration).start(target, as: EmptyBody.self)
            try? await barrier.arrivals(atLeast: 1)
        case .connect: server.enqueue(.fault(.stall, at: .connect))
        case .head: server.enqueue(.text("hello").held(by: barrier, at: .responseHead(afterBytes: 9)))
        case .body: server.enqueue(.text("hello").held(by: barrier, at: .responseBody(afterBytes: 3)))
        case .backoff: server.enqueue(.status(503))
        }
    }

    /// Returns when the call has reached the phase.
    func reached() async throws {
        switch phase {
        case .adapt, .intercept: await probe.gate.reached()
        case .queue: await probe.running.wait { $0 > 0 }
        case .connect: try await server.wait { $0.acceptedConnections > 0 }
        case .head, .body: try? await barrier.arrivals(atLeast: 1)
        case .backoff: await clock.untilSleeping(within: .seconds(7))
        }
    }

    /// Releases everything that was held, and returns when no attempt is running.
    func release() async {
        probe.gate.open()
        barrier.open()
        await probe.running.wait { $0 == 0 }
    }
}
