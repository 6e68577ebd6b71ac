import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Requests that are being sent while their user signs out, over sockets.
@Suite(.timeLimit(.minutes(5)), .serialized) struct SignOutRaceTests {
    private struct Target: TargetType {
        let baseURL: URL
        var path: String { "/things" }
    }

    private static let rounds = TestLength.count(20, gate: 100, whole: 500)

    @Test(arguments: Wire.all)
    func `no request of a user reaches the server after a sign-out`(wire: Wire) async throws {
        let (isOver, late, answers) = (Locked(false), Tally(), Tally())
        let server = try LoopbackServer { _ in
            if isOver.withLock({ $0 }) { late.add() }
            answers.add()
            return .text("x")
        }
        try await wire.withTransport(connections: 16) { transport in
            for _ in 0..<Self.rounds {
                var options = RefreshOptions()
                // The machine may be busy with other tests.
                options.departureLimit = .seconds(60)
                let refresher = TokenRefresher(
                    store: InMemoryCredentialStore(BearerToken("t")), options: options
                ) { old, _ in old }
                var configuration = NetworkConfiguration()
                configuration.transport = transport
                let provider = NetworkProvider<Target>(interceptors: [refresher], configuration: configuration)
                let before = answers.count
                isOver.withLock { $0 = false }
                let senders = (0..<16).map { _ in
                    Task { () -> NetworkErrorKind in
                        while true {
                            do throws(NetworkError) {
                                try await provider.request(Target(baseURL: server.url))
                            } catch {
                                return error.kind
                            }
                        }
                    }
                }
                await answers.wait { $0 > before + 32 }
                try await refresher.signOut()
                isOver.withLock { $0 = true }
                for sender in senders { #expect(await sender.value == .authentication) }
            }
        }
        #expect(late.count == 0)
    }
}
