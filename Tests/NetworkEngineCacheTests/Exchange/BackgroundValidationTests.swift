import Foundation
import NetworkEngine
import NetworkEngineCache
import NetworkEngineResilience
import NetworkEngineTesting
import TestSupport
import Testing

/// Validations that no call waits for: when they are sent, and when they end.
@Suite(.timeLimit(.minutes(5))) struct BackgroundValidationTests {
    private static let headers: HTTPHeaders = [
        "Cache-Control": "max-age=0, stale-while-revalidate=600", "ETag": "\"1\"",
    ]

    private let cache = ResponseCache()

    private func client(
        _ mock: MockTransport,
        _ interceptors: [any RequestInterceptor] = [],
        _ change: (inout NetworkConfiguration) -> Void = { _ in }
    ) throws -> HTTPClient {
        HTTPClient(mock, interceptors, base: try "https://a.test".url) { configuration in
            configuration.cache = cache
            change(&configuration)
        }
    }

    /// The number of requests for a stored response, whose validation waits for a permit while something happens.
    private func requests(
        _ interceptors: [any RequestInterceptor] = [],
        after event: () async throws -> Void
    ) async throws -> Int {
        let (arrived, released) = (OneShot<Void>(), OneShot<Void>())
        let mock = MockTransport()
        mock.on(.get, "/slow").answers(
            .handler { _ in
                arrived.settle(())
                try await released.wait()
                return .status(200)
            })
        mock.on(.get, "/a").answers(.text("a", headers: Self.headers).repeating())
        mock.on(.get, "/end").answers(.status(200))
        let limit = ConcurrencyLimit(total: 1)
        let client = try client(mock, interceptors + [limit])
        _ = try await client.send(.get("/a"))
        let slow = Task { try await client.send(.get("/slow")) }
        try await arrived.wait()
        #expect(try await client.send(.get("/a")).source == .cache)
        while limit.waitingCount == 0 { await Task.yield() }
        try await event()
        released.settle(())
        _ = try? await slow.value
        // It waits behind the validation.
        _ = try await self.client(mock, [limit]).send(.get("/end"))
        return mock.requests.count { $0.url.path == "/a" }
    }

    @Test func `a validation is sent when it has a permit`() async throws {
        #expect(try await requests {} == 2)
    }

    @Test func `a validation that waits is not sent after the sign-out of its user`() async throws {
        let session = TokenRefresher(store: InMemoryCredentialStore(BearerToken("ada"))) { old, _ in old }
        #expect(try await requests([session]) { try await session.signOut() } == 1)
    }

    @Test func `a validation that waits is not sent after the removal of its response`() async throws {
        #expect(try await requests { await cache.removeAll() } == 1)
    }
}
