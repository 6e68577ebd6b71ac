import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Calls from inside a refresh, and the context that they inherit.
@Suite(.timeLimit(.minutes(5))) struct RefreshCallTests {
    private struct Answer: Decodable, Sendable { var token: String }

    /// A provider with a refresher that calls a target on the same provider.
    private final class Loop: Sendable {
        let mock = MockTransport()
        let provider = OneShot<NetworkProvider<TestTarget>>()

        init() {
            mock.on(.post, "/v1/token").answers(MockAnswer.json(#"{"token": "new"}"#).repeating())
            mock.on(.get, headers: ["Authorization": "Bearer new"]).answers(MockAnswer.status(200).repeating())
            mock.on(.get).answers(MockAnswer.status(401).repeating())
        }

        func refreshedToken() async throws -> String {
            let target = TestTarget(path: "/token", method: .post)
            let answer: Answer = try await provider.wait().request(target)
            return answer.token
        }

        func send(_ interceptors: [any RequestInterceptor]) async -> NetworkError? {
            // A refresh that waits for itself ends here. Many tests start simultaneously, so the first step of one can
            // take a while.
            let provider = NetworkProvider<TestTarget>(mock, interceptors) { $0.deadline = .seconds(200) }
            self.provider.settle(provider)
            return await provider.failure(TestTarget())
        }

        var credentials: [String?] { mock.requests.map { $0.headers["Authorization"] } }
    }

    private let loop = Loop()

    @Test(arguments: [(408, true), (425, true), (429, true), (500, true), (503, true), (400, false), (401, false)])
    func `a refresh that fails for a temporary reason is no end of the session`(status: Int, isTemporary: Bool) {
        let response = HTTPResponse(statusCode: status, request: HTTPRequest(url: API.base))
        let error = NetworkError(kind: .status, reason: "", response: response)
        #expect((RefreshFailure.failed(error).networkCause != nil) == isTemporary)
        // Work that outlives a call tries again, even after a rejection.
        #expect(NetworkError.authentication(.failed(error)).isTemporary(statuses: []))
        #expect(!NetworkError.authentication(.sessionExpired).isTemporary(statuses: []))
    }

    @Test(arguments: [nil, 10] as [TimeInterval?])
    func `a refresh closure calls a target of its provider without waiting for itself`(life: TimeInterval?)
        async
    {
        let old = BearerToken("old", expiresAt: life.map { Date().addingTimeInterval($0) })
        let refresher = TokenRefresher(store: InMemoryCredentialStore(old)) { [loop] _, _ in
            BearerToken(try await loop.refreshedToken())
        }
        #expect(await loop.send([refresher]) == nil)
        #expect(loop.credentials.suffix(2) == [nil, "Bearer new"])
    }

    @Test func `a DefaultInterceptor's closure calls a target of the same provider`() async {
        let token = Locked("old")
        let interceptor = DefaultInterceptor(
            refreshToken: { [loop] in
                let new = try await loop.refreshedToken()
                token.withLock { $0 = new }
                return true
            }
        )
        #expect(await loop.send([interceptor, TokenSource { token.withLock { $0 } }]) == nil)
    }

    @Test func `the closure of a token source calls a target of its provider without a token`() async {
        let source = TokenSource { [loop] in try await loop.refreshedToken() }
        #expect(await loop.send([source]) == nil)
        #expect(loop.credentials == [nil, "Bearer new"])
    }

    @Test func `a store that asks the same provider does not wait for itself`() async {
        struct Remote: CredentialStore {
            let load: @Sendable () async throws -> BearerToken?
            func load() async throws -> BearerToken? { try await load() }
            func save(_ new: BearerToken?, replacing old: BearerToken?) async throws -> Bool { true }
        }
        let store = Remote { [loop] in BearerToken(try await loop.refreshedToken()) }
        let refresher = TokenRefresher(store: store) { old, _ in old }
        #expect(await loop.send([refresher]) == nil)
        #expect(loop.credentials == [nil, "Bearer new"])
    }

    @Test func `a refresh that needs another refresher's credential gets it`() async {
        let app = TokenRefresher(store: InMemoryCredentialStore(BearerToken("app"))) { old, _ in old }
        let other = NetworkProvider<TestTarget>(loop.mock, [app])
        loop.provider.settle(other)
        let refresher = TokenRefresher(store: InMemoryCredentialStore(BearerToken("old"))) { [loop] _, _ in
            BearerToken(try await loop.refreshedToken())
        }
        _ = await NetworkProvider<TestTarget>(loop.mock, [refresher]).failure(TestTarget())
        #expect(loop.credentials == ["Bearer old", "Bearer app", "Bearer new"])
    }

    @Test func `a task that outlives its refresh makes ordinary calls`() async throws {
        let hasEnded = OneShot<Void>()
        let late = Locked<Task<NetworkError?, Never>?>(nil)
        let refresher = TokenRefresher(store: InMemoryCredentialStore(BearerToken("old"))) { [loop] _, _ in
            let task = Task { () -> NetworkError? in
                try? await hasEnded.wait()
                return await (try? loop.provider.wait())?.failure(TestTarget(path: "/late"))
            }
            late.withLock { $0 = task }
            return BearerToken("new")
        }
        #expect(await loop.send([refresher]) == nil)
        hasEnded.settle(())
        let task = try #require(late.withLock { $0 })
        #expect(await task.value == nil)
        #expect(loop.credentials.last == "Bearer new")
    }

    private enum Stage {
        @TaskLocal static var name = "production"
    }

    @Test func `a refresh and the store see the task-locals of the call that started it`() async {
        struct Watching: CredentialStore {
            let inner = InMemoryCredentialStore(BearerToken("old"))
            let seen: Locked<[String]>
            func load() async throws -> BearerToken? {
                seen.withLock { $0.append(Stage.name) }
                return inner.load()
            }
            func save(_ new: BearerToken?, replacing old: BearerToken?) async throws -> Bool {
                seen.withLock { $0.append(Stage.name) }
                return inner.save(new, replacing: old)
            }
        }
        let seen = Locked<[String]>([])
        let refresher = TokenRefresher(store: Watching(seen: seen)) { _, _ in
            seen.withLock { $0.append(Stage.name) }
            return BearerToken("new")
        }
        let error = await Stage.$name.withValue("staging") { await loop.send([refresher]) }
        #expect(error == nil)
        let names = seen.withLock { $0 }
        #expect(names.count >= 4)
        #expect(Set(names) == ["staging"])
    }

    @Test func `a refresh retries its calls, also inside a retried call`() async {
        let mock = MockTransport(.status(503), .json(#"{"token": "new"}"#))
        let other = NetworkProvider<TestTarget>(mock, [RetryPolicy(backoff: .constant(.zero))])
        let soon = BearerToken("old", expiresIn: .seconds(1))
        let refresher = TokenRefresher(store: InMemoryCredentialStore(soon)) { _, _ in
            let answer: Answer = try await other.request(TestTarget(path: "/token"))
            return BearerToken(answer.token)
        }
        #expect(await loop.send([RetryPolicy(), refresher]) == nil)
        #expect(mock.requests.count == 2)
    }

    @Test func `the closure for the end of a session retries its calls`() async throws {
        let mock = MockTransport(.status(503), .status(200))
        let other = NetworkProvider<TestTarget>(mock, [RetryPolicy(backoff: .constant(.zero))])
        let soon = BearerToken("old", expiresIn: .seconds(1))
        let ended = OneShot<NetworkError?>()
        let refresher = TokenRefresher(store: InMemoryCredentialStore(soon)) { _, _ in
            throw RefreshFailure.sessionExpired
        } onSessionExpired: {
            ended.settle(await other.failure(TestTarget()))
        }
        #expect(await loop.send([RetryPolicy(), refresher])?.kind == .authentication)
        let failure = try await ended.wait()
        #expect(failure == nil)
        #expect(mock.requests.count == 2)
    }
}
