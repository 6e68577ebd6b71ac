import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// How calls end when their provider is released, their transport is shut down, or their task is canceled.
@Suite(.timeLimit(.minutes(5))) struct LettingGoTests {
    /// Counts the calls that wait for a connection.
    private struct WaitingCount: NetworkObserver {
        let count = Tally()

        func handle(_ event: NetworkEvent) { if case .queued = event.kind { count.add() } }
    }

    /// Starts calls that the server holds, and releases the provider, the transport and the handles.
    private func startAndForget(_ count: Int, _ server: LoopbackServer, shutsDown: Bool) async -> [OngoingCall<User>] {
        let transport = URLSessionTransport(configuration: .ephemeral)
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        let waiting = WaitingCount()
        configuration.observers = [waiting]
        let provider = NetworkProvider<ParityTarget>(configuration: configuration)
        let target = ParityTarget(baseURL: server.url, wire: transport)
        let calls = (0..<count).map { _ in CallStyle.queue.start(target, on: provider, as: User.self) }
        _ = try? await server.wait { $0.requestCount > 0 }
        // The others are running or waiting for a connection.
        let running = URLSessionConfiguration.ephemeral.httpMaximumConnectionsPerHost
        if shutsDown {
            await waiting.count.wait { $0 == count - running }
            transport.shutdown()
        }
        return calls
    }

    @Test func `releasing the provider cancels no call, and every call ends`() async throws {
        let barrier = LoopbackBarrier()
        let server = try LoopbackServer { _ in .json(Scenario.ada).held(by: barrier) }
        let calls = await startAndForget(20, server, shutsDown: false)
        barrier.open()
        for call in calls { #expect(try await call.outcome?.get() == User(id: 7, name: "Ada")) }
    }

    @Test func `shutting down a transport cancels every running and queued call`() async throws {
        let server = try LoopbackServer { _ in .fault(.stall) }
        let calls = await startAndForget(20, server, shutsDown: true)
        for call in calls { #expect(await call.error?.kind == .cancelled) }
    }

    @Test(arguments: Halt.Phase.allCases)
    func `a canceled task and a canceled handle fail with the same error`(phase: Halt.Phase) async throws {
        var errors: [NetworkError?] = []
        for style in [CallStyle.handle, .awaited, .waiter, .queue] {
            let halt = try await Halt(in: phase)
            let call = style.start(halt.target, on: halt.provider, as: User.self)
            try await halt.reached()
            call.cancel()
            errors.append(await call.error)
            await halt.release()
        }
        for error in errors {
            #expect(error?.kind == .cancelled)
            #expect(error?.request?.url.path == "/users/7")
            #expect(error?.attempts.map(\.kind) == errors[0]?.attempts.map(\.kind))
        }
    }
}
