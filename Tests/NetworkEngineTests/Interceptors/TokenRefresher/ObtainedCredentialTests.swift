import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// A refresher that obtains its first credential, as a service does.
@Suite(.timeLimit(.minutes(5))) struct ObtainedCredentialTests {
    private let store = InMemoryCredentialStore<BearerToken>(nil)
    private let rig = RefreshRig()
    private let clock = TestClock()
    private let count = Locked(0)
    private let failure = Locked<NetworkError?>(nil)
    private let target = TestTarget(authorization: .required)

    private var obtained: Int { count.withLock { $0 } }

    /// A refresher that obtains “t1”, “t2” and so on.
    private func refresher(
        _ before: @escaping @Sendable () async throws -> Void = {}
    ) -> TokenRefresher<BearerToken> {
        var options = RefreshOptions()
        options.clock = clock
        return TokenRefresher(store: store, options: options) { [count, failure] _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            try await before()
            if let failure = failure.withLock({ $0 }) { throw failure }
            return BearerToken("t\(number)")
        }
    }

    private func accept(_ tokens: String...) { rig.valid.withLock { $0 = Set(tokens) } }

    private func fail(_ status: Int?, _ body: String = "") {
        let request = HTTPRequest(url: API.base)
        failure.withLock { failure in
            failure = status.map { status in
                let response = HTTPResponse(statusCode: status, body: .data(Data(body.utf8)), request: request)
                return NetworkError(kind: .status, response: response)
            }
        }
    }

    @Test func `the first call obtains a credential, and a rejected one is replaced`() async throws {
        accept("t1")
        let provider = rig.provider([refresher()])
        _ = try await provider.send(target)
        #expect(store.current == BearerToken("t1"))
        accept("t2")
        _ = try await provider.send(target)
        #expect(rig.tokens == ["Bearer t1", "Bearer t1", "Bearer t2"] && store.current == BearerToken("t2"))
    }

    @Test func `a process that keeps no credential needs no store`() async throws {
        accept("a")
        let tokens = TokenRefresher { _ in BearerToken("a") }
        _ = try await rig.provider([tokens]).send(target)
        #expect(rig.tokens == ["Bearer a"])
    }

    @Test(arguments: [nil, "t0"]) func `a hundred calls share one credential`(stored: String?) async {
        accept("t1")
        // Rejected, if there is one.
        if let stored { _ = store.save(BearerToken(stored), replacing: nil) }
        let provider = rig.provider([refresher()])
        await withTaskGroup(of: NetworkError?.self) { group in
            for _ in 0..<100 { group.addTask { await provider.failure(target) } }
            for await error in group { #expect(error == nil) }
        }
        #expect(obtained == 1)
    }

    @Test func `a stored credential is used`() async throws {
        accept("kept")
        _ = store.save(BearerToken("kept"), replacing: nil)
        _ = try await rig.provider([refresher()]).send(target)
        #expect(obtained == 0)
    }

    @Test func `a call that can do without a credential waits for it, too`() async throws {
        accept("t1")
        _ = try await rig.provider([refresher()]).send(TestTarget(authorization: .optional))
        fail(503)
        _ = store.save(nil, replacing: store.current)
        let error = await rig.provider([refresher()]).failure(TestTarget(authorization: .optional))
        #expect(error?.networkCause?.statusCode == 503 && rig.tokens == ["Bearer t1"])
    }

    @Test(arguments: [
        (401, ""), (400, #"{"error": "invalid_grant"}"#), (401, #"{"error": "invalid_client"}"#), (403, ""),
    ])
    func `a refusal signs no service out`(status: Int, body: String) async throws {
        accept("t1")
        let provider = rig.provider([refresher()])
        fail(status, body)
        for _ in 0..<5 {
            let error = await provider.failure(target)
            #expect(error?.kind == .authentication && error?.endsSession == false)
        }
        #expect(obtained == 2 && rig.mock.requests.isEmpty)
        fail(nil)
        clock.advance(by: .seconds(10))
        accept("t3")
        _ = try await provider.send(target)
        // The credential is rejected, and the endpoint refuses again.
        accept()
        fail(status, body)
        #expect(await provider.failure(target)?.endsSession == false)
        #expect(store.current == BearerToken("t3"))
        fail(nil)
        accept("t5")
        _ = try await provider.send(target)
    }

    @Test func `a closure that gives up signs no service out`() async {
        let refresher = TokenRefresher<BearerToken>(store: store) { _ in throw RefreshFailure.sessionExpired }
        #expect(await rig.provider([refresher]).failure(target)?.endsSession == false)
    }

    @Test func `when all waiting calls are canceled, the credential is obtained and stored`() async throws {
        accept("t1")
        let (entered, leave) = (OneShot<Void>(), OneShot<Void>())
        let refresher = refresher {
            entered.settle(())
            try await leave.wait()
        }
        let call = Task { await rig.provider([refresher]).failure(target) }
        try await entered.wait()
        call.cancel()
        #expect(await call.value?.kind == .cancelled)
        leave.settle(())
        _ = try await rig.provider([refresher]).send(target)
        #expect(obtained == 1 && store.current == BearerToken("t1"))
    }

    private struct RecordingStore: CredentialStore {
        let inner = InMemoryCredentialStore<BearerToken>(nil)
        let saved = Locked<[String?]>([])

        func load() async throws -> BearerToken? { inner.load() }

        func save(_ new: BearerToken?, replacing old: BearerToken?) async throws -> Bool {
            saved.withLock { $0.append(new?.accessToken) }
            return inner.save(new, replacing: old)
        }
    }

    @Test func `what was obtained for a session that is over is neither used nor kept`() async throws {
        let (entered, leave, store) = (OneShot<Void>(), OneShot<Void>(), RecordingStore())
        let refresher = TokenRefresher(store: store) { _ in
            guard entered.settle(()) else { return BearerToken("second") }
            // Ignores the cancellation by the sign-out.
            await Task { try? await leave.wait() }.value
            return BearerToken("first")
        }
        let call = Task { await rig.provider([refresher]).failure(target) }
        try await entered.wait()
        try await refresher.signOut()
        leave.settle(())
        #expect(await call.value?.endsSession == true)
        while store.saved.withLock({ $0 }) != ["first", nil] { await Task.yield() }
        accept("second")
        _ = try await rig.provider([refresher]).send(target)
        #expect(rig.tokens == ["Bearer second"])
    }

    @Test func `another credential is obtained when other code empties the store`() async throws {
        accept("t1")
        let provider = rig.provider([refresher()])
        _ = try await provider.send(target)
        _ = store.save(nil, replacing: store.current)
        accept("t2")
        _ = try await provider.send(target)
        #expect(store.current == BearerToken("t2"))
    }

    @Test func `a closure that calls the same provider does not wait for itself`() async throws {
        struct Answer: Decodable { let token: String }
        let mock = MockTransport()
        mock.on(.post, "/v1/token").answers(.json(#"{"token": "new"}"#))
        mock.on(.get, headers: ["Authorization": "Bearer new"]).answers(.status(200))
        let tokens = TokenRefresher { context in
            let answer: Answer = try await context.request(TestTarget(path: "/token", method: .post))
            return BearerToken(answer.token)
        }
        _ = try await NetworkProvider<TestTarget>(mock, [tokens]).send(target)
        #expect(mock.requests.map { $0.headers["Authorization"] } == [nil, "Bearer new"])
    }
}
