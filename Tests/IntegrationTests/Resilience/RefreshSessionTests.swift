import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

/// The limits of a refresh, and sessions that end while requests wait.
@Suite(.timeLimit(.minutes(5))) struct RefreshSessionTests {
    private let store = InMemoryCredentialStore(BearerToken("old", refreshToken: "r1"))

    /// A server that renews each refresh token once, when the barrier opens.
    private func server(_ barrier: LoopbackBarrier) throws -> LoopbackServer {
        let used = Locked<Set<String>>([])
        return try LoopbackServer { request in
            if request.path == "/token" {
                let token = String(decoding: request.body, as: UTF8.self)
                guard used.withLock({ $0.insert(token).inserted }) else { return .status(400) }
                return .text("new").held(by: barrier)
            }
            return .status(request.headers["Authorization"] == "Bearer new" ? 200 : 401)
        }
    }

    private func refresher(_ server: LoopbackServer) -> TokenRefresher<BearerToken> {
        let address = server.url.appendingPathComponent("token")
        return TokenRefresher(store: store) { old, context in
            let body = Data((old.refreshToken ?? "").utf8)
            let answer = try await context.send(HTTPRequest(method: .post, url: address, body: .data(body)))
            return BearerToken(String(decoding: answer.data, as: UTF8.self), refreshToken: "r2")
        }
    }

    @Test(arguments: Wire.all) func `a deadline ends the call that waits, and not the refresh`(wire: Wire) async throws
    {
        let (barrier, clock) = (LoopbackBarrier(), TestClock())
        let server = try server(barrier)
        try await wire.withTransport { transport in
            var configuration = NetworkConfiguration()
            (configuration.transport, configuration.clock) = (transport, clock)
            configuration.deadline = .seconds(1)
            let waits = Waits()
            configuration.observers = [waits]
            let client = HTTPClient(
                baseURL: server.url, interceptors: [refresher(server)], configuration: configuration)
            let calls = (0..<3).map { _ in Task { try await client.send(.get("/me")) } }
            try await barrier.arrivals(atLeast: 1)
            await waits.count.wait { $0 == calls.count }
            clock.advance(by: .seconds(2))
            for call in calls {
                let error = await #expect(throws: NetworkError.self) { try await call.value }
                #expect(error?.transportFailure == .timeout(.deadline))
            }
            barrier.open()
            while store.current?.accessToken != "new", !Task.isCancelled { await Task.yield() }
            try await client.send(.get("/me"))
            #expect(server.requests.filter { $0.path == "/token" }.count == 1)
        }
    }

    /// Counts the calls that wait for a refresh.
    private struct Waits: NetworkObserver {
        let count = Tally()

        func handle(_ event: NetworkEvent) { if case .refreshStarted = event.kind { count.add() } }
    }

    /// Counts the requests that have passed all interceptors.
    private final class Gauge: ExchangeInterceptor {
        let count = Locked(0)

        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: @escaping Next
        ) async throws -> HTTPResponse {
            count.withLock { $0 += 1 }
            return try await next(request)
        }
    }

    /// Signs out while one request is being sent and others wait behind it.
    private func expectNothingAfterSignOut(_ transport: any Transport, _ limits: [any RequestInterceptor]) async throws
    {
        let barrier = LoopbackBarrier()
        let server = try LoopbackServer { _ in .status(200).held(by: barrier) }
        let (refresher, gauge) = (refresher(server), Gauge())
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        let list: [any RequestInterceptor] = [refresher, gauge] + limits
        let client = HTTPClient(baseURL: server.url, interceptors: list, configuration: configuration)
        let first = Task { try await client.send(.get("/first")) }
        try await barrier.arrivals(atLeast: 1)
        let waiting = (0..<3).map { _ in Task { try await client.send(.get("/later")) } }
        while gauge.count.withLock({ $0 }) < 4, !Task.isCancelled { await Task.yield() }
        try await refresher.signOut()
        barrier.open()
        _ = try await first.value
        for call in waiting {
            let error = await #expect(throws: NetworkError.self) { try await call.value }
            #expect(error?.kind == .authentication)
        }
        #expect(server.requests.map(\.path) == ["/first"])
    }

    @Test(arguments: Wire.all)
    func `a request that waits in the transport is not sent after a sign-out`(wire: Wire) async throws {
        try await wire.withTransport(connections: 1) { try await expectNothingAfterSignOut($0, []) }
    }

    @Test func `a request that waits for a permit is not sent after a sign-out`() async throws {
        try await Wire.distinct[0].withTransport {
            try await expectNothingAfterSignOut($0, [ConcurrencyLimit(total: 1, perHost: 1)])
        }
    }
}
