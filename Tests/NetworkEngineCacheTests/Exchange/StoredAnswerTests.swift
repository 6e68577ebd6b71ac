import Foundation
import NetworkEngineResilience
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache
@testable import NetworkEngineTesting

/// A stored response isn't evidence about the server: interceptors learn only from what was sent.
@Suite(.timeLimit(.minutes(5))) struct StoredAnswerTests {
    private let mock: MockTransport

    init() {
        mock = MockTransport()
        mock.on(.get, "/stored").answers(.text("a", headers: ["Cache-Control": "max-age=600"]).repeating())
        mock.on(.get, "/down").answers(.status(503).repeating())
        mock.on(.get, "/secret").answers(.status(401).repeating())
    }

    private func client(_ interceptor: any RequestInterceptor) throws -> HTTPClient {
        HTTPClient(mock, [interceptor], base: try "https://a.test".url) { $0.cache = ResponseCache() }
    }

    private func requests(_ path: String) -> Int { mock.requests.filter { $0.url.path == path }.count }

    @Test func `stored responses pay for no hedged requests`() async throws {
        let client = try client(Hedging(after: .seconds(1), extraLoad: 0.1, clock: TestClock()))
        for _ in 0..<20 { _ = try await client.send(.get("/stored")) }
        _ = try? await client.send(.get("/down"))
        #expect(requests("/stored") == 1 && requests("/down") == 1)
    }

    @Test func `stored responses do not refill the budget for retries`() async throws {
        var counts: [Int] = []
        for hits in [0, 30] {
            let before = requests("/down")
            let client = try client(RetryPolicy(backoff: .constant(.zero)))
            _ = try await client.send(.get("/stored"))
            for _ in 0..<30 {
                for _ in 0..<hits { _ = try await client.send(.get("/stored")) }
                _ = try? await client.send(.get("/down"))
            }
            counts.append(requests("/down") - before)
        }
        #expect(counts[0] < 90 && counts[0] == counts[1])
    }

    @Test func `a stored response is no success of a session that is lost`() async throws {
        let losses = Locked(0)
        let interceptor = DefaultInterceptor(
            refreshToken: { false }, token: { "t" }, onSessionExpired: { losses.withLock { $0 += 1 } })
        let client = try client(interceptor)
        _ = try await client.send(.get("/stored"))
        for _ in 0..<3 {
            _ = try? await client.send(.get("/secret"))
            _ = try await client.send(.get("/stored"))
        }
        while losses.withLock({ $0 }) == 0 { await Task.yield() }
        await letOthersRun()
        #expect(losses.withLock { $0 } == 1 && requests("/stored") == 1)
    }
}
