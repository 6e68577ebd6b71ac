import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The token of a `DefaultInterceptor`, and the end of its session.
@Suite(.timeLimit(.minutes(5))) struct DefaultInterceptorSessionTests {
    private let losses = Locked(0)
    private let token = Locked<String?>("a")

    private func provider(
        _ mock: MockTransport,
        options: RefreshOptions = RefreshOptions(),
        refresh: @escaping @Sendable @concurrent () async throws -> Bool
    ) -> NetworkProvider<TestTarget> {
        let interceptor = DefaultInterceptor(
            refreshToken: refresh,
            token: { [token] in token.withLock { $0 } },
            onSessionExpired: { [losses] in losses.withLock { $0 += 1 } },
            retry: RetryPolicy(backoff: .constant(.zero)),
            options: options
        )
        return NetworkProvider(mock, [interceptor])
    }

    private func authorizations(_ mock: MockTransport) -> [String?] {
        mock.requests.map { $0.headers["Authorization"] }
    }

    /// Makes calls until the closure for a lost session has run, which happens after they fail.
    private func untilLost(_ count: Int) async {
        while losses.withLock({ $0 }) < count { await Task.yield() }
    }

    @Test func `a repeated call has the new token`() async throws {
        let mock = MockTransport(.status(401), .status(200))
        let provider = provider(mock) { [token] in
            token.withLock { $0 = "b" }
            return true
        }
        _ = try await provider.send(TestTarget())
        #expect(authorizations(mock) == ["Bearer a", "Bearer b"])
        #expect(losses.withLock { $0 } == 0)
    }

    @Test func `a call that waits for a refresh has the new token`() async throws {
        let mock = MockTransport(
            MockAnswer.handler { request in
                request.headers["Authorization"] == "Bearer b" ? .status(200) : .status(401)
            }
            .repeating())
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (ready, go) = AsyncStream.makeStream(of: Void.self)
        let provider = provider(mock) { [token] in
            begin.yield()
            for await _ in ready { break }
            token.withLock { $0 = "b" }
            return true
        }
        let first = Task { try await provider.send(TestTarget()).statusCode }
        for await _ in begun { break }
        let second = Task { try await provider.send(TestTarget()).statusCode }
        go.yield()
        #expect(try await first.value == 200)
        #expect(try await second.value == 200)
        #expect(authorizations(mock).first == "Bearer a" && authorizations(mock).count { $0 == "Bearer b" } == 2)
    }

    @Test func `only requests to the origin of the target have the token`() async throws {
        let mock = MockTransport(MockAnswer.status(200).repeating())
        let provider = provider(mock) { true }
        _ = try await provider.send(TestTarget(path: "http://elsewhere.test/"))
        _ = try await provider.send(TestTarget(authorization: .anonymous))
        _ = try await provider.send(TestTarget(headers: ["Authorization": "mine"]))
        #expect(authorizations(mock) == [nil, nil, "mine"])
        var options = RefreshOptions()
        options.allowedOrigins = [URL(string: "http://elsewhere.test")!]
        let other = MockTransport(MockAnswer.status(200).repeating())
        _ = try await self.provider(other, options: options) { true }.send(TestTarget(path: "http://elsewhere.test/"))
        #expect(authorizations(other) == ["Bearer a"])
    }

    @Test func `a redirect to another origin has no token, and descriptions do not show it`() async throws {
        token.withLock { $0 = "s3cret" }
        let mock = MockTransport(.status(302, headers: ["Location": "http://elsewhere.test/"]), .status(404))
        let error = await provider(mock) { true }.failure(TestTarget())
        #expect(authorizations(mock) == ["Bearer s3cret", nil])
        #expect(!"\(error as Any) \(mock.requests)".contains("s3cret"))
    }

    @Test func `the calls of a refresh have no token and do not wait for it`() async throws {
        let mock = MockTransport(.status(401), .status(200), .status(200))
        let provider = Locked<NetworkProvider<TestTarget>?>(nil)
        let users = self.provider(mock) {
            guard let provider = provider.withLock({ $0 }) else { return false }
            return try await provider.send(TestTarget(path: "/refresh")).statusCode == 200
        }
        provider.withLock { $0 = users }
        _ = try await users.send(TestTarget())
        #expect(mock.requests.map(\.url.lastPathComponent) == ["things", "refresh", "things"])
        #expect(authorizations(mock) == ["Bearer a", nil, "Bearer a"])
        provider.withLock { $0 = nil }
    }

    @Test func `without a token a call that needs one is not sent`() async {
        token.withLock { $0 = nil }
        let mock = MockTransport(MockAnswer.status(200).repeating())
        let provider = provider(mock) { true }
        #expect(await provider.failure(TestTarget())?.kind == .authentication)
        #expect(await provider.failure(TestTarget(authorization: .optional)) == nil)
        #expect(authorizations(mock) == [nil])
    }

    private struct NoToken: Error {}

    @Test(arguments: [nil, RefreshFailure.sessionExpired, NoToken()] as [(any Error & Sendable)?])
    func `a lost session is reported once, however many calls fail`(
        failure: (any Error & Sendable)?
    ) async {
        let mock = MockTransport(MockAnswer.status(401).repeating())
        let provider = provider(mock) {
            if let failure { throw failure }
            return false
        }
        await withTaskGroup(of: NetworkError?.self) { group in
            for _ in 0..<50 { group.addTask { await provider.failure(TestTarget()) } }
            for await error in group { #expect(error != nil) }
        }
        await untilLost(1)
        for _ in 0..<5 { #expect(await provider.failure(TestTarget()) != nil) }
        #expect(losses.withLock { $0 } == 1)
    }

    @Test(
        arguments: [
            NetworkError(kind: .offline), NetworkError(.timeout(.attempt), reason: ""), NetworkError(kind: .cancelled),
            URLError(.notConnectedToInternet), CancellationError(),
        ] as [any Error & Sendable])
    func `a failure of the network does not end the session`(failure: any Error & Sendable) async throws {
        let mock = MockTransport(.status(401), .status(401), .status(200))
        let isFirst = Locked(true)
        let provider = provider(mock) {
            let fails = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if fails { throw failure }
            return true
        }
        #expect(await provider.failure(TestTarget())?.kind == .authentication)
        _ = try await provider.send(TestTarget())
        #expect(losses.withLock { $0 } == 0)
    }

    @Test func `after the next sign-in the loss of the session is reported again`() async throws {
        let mock = MockTransport(.status(401), .status(401), .status(401))
        let provider = provider(mock) { false }
        #expect(await provider.failure(TestTarget())?.statusCode == 401)
        await untilLost(1)
        #expect(await provider.failure(TestTarget())?.statusCode == 401)
        token.withLock { $0 = "b" }
        #expect(await provider.failure(TestTarget())?.statusCode == 401)
        await untilLost(2)
        #expect(losses.withLock { $0 } == 2)
    }

    @Test func `after the next sign-in a refresh does not wait because earlier ones have failed`() async throws {
        let clock = TestClock()
        var options = RefreshOptions()
        options.clock = clock
        let refreshes = Locked(0)
        let mock = MockTransport(MockAnswer.status(401).repeating())
        let provider = provider(mock, options: options) {
            refreshes.withLock { $0 += 1 }
            return false
        }
        for _ in 0..<5 { #expect(await provider.failure(TestTarget())?.statusCode == 401) }
        #expect(refreshes.withLock { $0 } == 2)
        await untilLost(1)
        token.withLock { $0 = "b" }
        #expect(await provider.failure(TestTarget())?.statusCode == 401)
        #expect(refreshes.withLock { $0 } == 3)
    }
}

@Suite(.timeLimit(.minutes(5))) struct SessionLossesTests {
    @Test func `a session is lost once`() {
        var losses = SessionLosses()
        let results = (0..<3).map { _ in losses.sessionEnded() }
        #expect(results == [true, false, false])
    }

    @Test func `a refresh, another token or a successful call begins another session`() {
        var losses = SessionLosses()
        losses.sent("a")
        let beginnings: [(inout SessionLosses) -> Void] = [
            { $0.sessionBegan() }, { $0.sent("b") }, { $0.accepted(in: $0.session) },
        ]
        for begin in beginnings {
            let isLost = losses.sessionEnded()
            #expect(isLost)
            begin(&losses)
        }
        let isLost = losses.sessionEnded()
        #expect(isLost)
    }

    @Test func `the same token, and the success of a call from before the loss, show nothing`() {
        var losses = SessionLosses()
        losses.sent("a")
        let session = losses.session
        let isLost = losses.sessionEnded()
        losses.sent("a")
        losses.accepted(in: session)
        let isLostAgain = losses.sessionEnded()
        #expect(isLost && !isLostAgain)
    }

    @Test func `a loss stores no token`() {
        var losses = SessionLosses()
        losses.sent("s3cret")
        var text = ""
        dump(losses, to: &text)
        #expect(!text.contains("s3cret"))
    }
}
