import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

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

    /// The number of requests for a stored response, when an action happens while its validation waits for a permit.
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

    /// A body in chunks of 1,000 bytes that reports when its reader has left.
    private final class Body: Sendable {
        let count = Locked(0)
        let left = OneShot<Void>()

        final class Reader: Sendable {
            let body: Body
            init(_ body: Body) { self.body = body }
            deinit { body.left.settle(()) }

            func next() -> Data? {
                body.count.withLock { count in
                    count += 1
                    return count < 1000 ? Data(count: 1000) : nil
                }
            }
        }

        func stream(length: Int64? = nil) -> BodyStream {
            BodyStream(length: length, isReplayable: false) {
                let reader = Reader(self)
                return BodyStream.Reading { reader.next() }
            }
        }
    }

    private func streaming(_ body: Body, length: Int64? = nil, _ contexts: Locked<[TransportContext]> = Locked([]))
        -> MockAnswer
    {
        MockAnswer(exchange: { request, context in
            contexts.withLock { $0.append(context) }
            return HTTPResponse(
                statusCode: 200, headers: Self.headers, body: .stream(body.stream(length: length)), request: request)
        })
    }

    @Test func `the body of a validation counts for the limit of bodies in memory`() async throws {
        let body = Body()
        let client = try client(MockTransport(.text("a", headers: Self.headers), streaming(body))) {
            $0.limits.bodyInMemory = 10_000
        }
        for _ in 0..<2 { _ = try await client.send(.get("/a")) }
        try await body.left.wait()
        #expect(body.count.withLock { $0 } <= 11)
    }

    @Test func `a validation ends at the deadline of its call`() async throws {
        let (body, contexts) = (Body(), Locked<[TransportContext]>([]))
        let client = try client(MockTransport(.text("a", headers: Self.headers), streaming(body, contexts))) {
            $0.deadline = .seconds(3600)
        }
        for _ in 0..<2 { _ = try await client.send(.get("/a")) }
        try await body.left.wait()
        let context = try #require(contexts.withLock { $0.first })
        #expect(context.timeLeft != nil && context.keepsPermit)
    }

    @Test(arguments: [nil, 999_000] as [Int64?])
    func `a body that is too long for the store removes no other response, also without a known length`(
        length: Int64?
    ) async throws {
        let cache = ResponseCache(store: MemoryCacheStore(limit: 10_000))
        let body = Body()
        let mock = MockTransport()
        mock.on(.get, "/a").answers(.text("a", headers: ["Cache-Control": "max-age=600"]))
        mock.on(.get, "/b").answers(streaming(body, length: length))
        let client = try client(mock) { $0.cache = cache }
        _ = try await client.send(.get("/a"))
        var count = 0
        for try await piece in try await client.stream(.get("/b")) { count += piece.count }
        #expect(count == 999_000)
        #expect(try await client.send(.get("/a")).source == .cache)
    }
}
