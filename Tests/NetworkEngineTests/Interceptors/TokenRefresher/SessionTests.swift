import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Signing in and out with a slow store.
@Suite(.timeLimit(.minutes(5))) struct SessionTests {
    /// A store that signals its first access, and finishes it on command.
    private struct SlowStore: CredentialStore {
        enum Step { case load, save }

        let inner = InMemoryCredentialStore(BearerToken("old"))
        let slow: Step
        let entered = OneShot<Void>()
        let leave = OneShot<Void>()

        func load() async throws -> BearerToken? {
            let token = inner.load()
            if slow == .load, entered.settle(()) { try await leave.wait() }
            return token
        }

        func save(_ new: BearerToken?, replacing old: BearerToken?) async throws -> Bool {
            if slow == .save, entered.settle(()) { try await leave.wait() }
            return inner.save(new, replacing: old)
        }
    }

    private let mock = MockTransport(MockAnswer.status(200).repeating())

    private func refresher(_ store: SlowStore) -> TokenRefresher<BearerToken> {
        TokenRefresher(store: store) { old, _ in old }
    }

    private func call(_ refresher: TokenRefresher<BearerToken>) -> Task<NetworkError?, Never> {
        Task { await NetworkProvider<API>(mock, [refresher]).failure(.plain) }
    }

    private func pause() async { for _ in 0..<50 { await Task.yield() } }

    @Test func `a credential that is read from the store during a sign-out is not used`() async throws {
        let store = SlowStore(slow: .load)
        let refresher = refresher(store)
        let call = call(refresher)
        try await store.entered.wait()
        try await refresher.signOut()
        store.leave.settle(())
        #expect(await call.value?.kind == .authentication)
        #expect(await self.call(refresher).value?.kind == .authentication)
        #expect(mock.requests.isEmpty)
    }

    @Test func `reading the store during a sign-out signs no user in`() async throws {
        let store = SlowStore(slow: .save)
        let refresher = refresher(store)
        let signOut = Task { try await refresher.signOut() }
        try await store.entered.wait()
        let call = call(refresher)
        await pause()
        store.leave.settle(())
        #expect(await call.value?.kind == .authentication)
        try await signOut.value
        #expect(mock.requests.isEmpty)
    }

    @Test func `the later of a concurrent sign-in and sign-out wins`() async throws {
        let store = SlowStore(slow: .save)
        let refresher = refresher(store)
        let signIn = Task { try await refresher.signIn(BearerToken("new")) }
        try await store.entered.wait()
        let signOut = Task { try await refresher.signOut() }
        await pause()
        store.leave.settle(())
        try await signIn.value
        try await signOut.value
        #expect(store.inner.current == nil)
        #expect(await call(refresher).value?.kind == .authentication)
    }

    @Test func `a refresh waits until a new sign-in is stored`() async throws {
        let store = SlowStore(slow: .save)
        let refresher = refresher(store)
        let signIn = Task { try await refresher.signIn(BearerToken("new", expiresAt: Date())) }
        try await store.entered.wait()
        // The credential has expired, so this request refreshes it.
        let call = call(refresher)
        await pause()
        store.leave.settle(())
        try await signIn.value
        _ = await call.value
        #expect(store.inner.current?.accessToken == "new")
        #expect(!mock.requests.contains { $0.headers["Authorization"] == "Bearer old" })
    }

    @Test func `a renewal that ends after a sign-out leaves no token`() async throws {
        let (entered, leave, ended) = (OneShot<Void>(), OneShot<Void>(), OneShot<Void>())
        // It expires so soon that calls still use it while it's renewed.
        let store = InMemoryCredentialStore(BearerToken("old", expiresIn: .seconds(200)))
        let refresher = TokenRefresher(store: store) { _, _ in
            entered.settle(())
            // Ignores the cancellation by the sign-out.
            await Task { try? await leave.wait() }.value
            ended.settle(())
            return BearerToken("new")
        }
        #expect(await call(refresher).value == nil)
        try await entered.wait()
        try await refresher.signOut()
        leave.settle(())
        try await ended.wait()
        await pause()
        #expect(store.current == nil)
        #expect(try await refresher.isSignedIn == false)
        #expect(await call(refresher).value?.endsSession == true)
        #expect(mock.requests.count == 1)
    }

    @Test func `a second sign-out changes nothing`() async throws {
        let store = SlowStore(slow: .save)
        let refresher = refresher(store)
        let first = Task { try await refresher.signOut() }
        try await store.entered.wait()
        let second = Task { try await refresher.signOut() }
        await pause()
        store.leave.settle(())
        try await first.value
        try await second.value
        try await refresher.signOut()
        #expect(store.inner.current == nil)
        #expect(try await refresher.isSignedIn == false)
        #expect(await call(refresher).value?.endsSession == true)
    }

    @Test func `the closure for the end of a session may sign out`() async throws {
        let store = InMemoryCredentialStore(BearerToken("old", expiresIn: .seconds(1)))
        let (ended, count) = (OneShot<Bool>(), Locked(0))
        let box = Locked<TokenRefresher<BearerToken>?>(nil)
        let refresher = TokenRefresher(store: store) { _, _ in
            throw RefreshFailure.sessionExpired
        } onSessionExpired: {
            count.withLock { $0 += 1 }
            let refresher = box.withLock { $0 }
            do {
                try await refresher?.signOut()
                try await refresher?.signOut()
                ended.settle(true)
            } catch {
                ended.settle(false)
            }
        }
        box.withLock { $0 = refresher }
        let calls = (0..<10).map { _ in call(refresher) }
        for call in calls { #expect(await call.value?.endsSession == true) }
        let hasSignedOut = try await ended.wait()
        #expect(hasSignedOut && store.current == nil && count.withLock { $0 } == 1)
        try await refresher.signIn(BearerToken("next"))
        #expect(await call(refresher).value == nil)
        #expect(mock.requests.map { $0.headers["Authorization"] } == ["Bearer next"])
        box.withLock { $0 = nil }
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300])
    func `any expiry time of a server is accepted`(seconds: Double) async {
        let store = InMemoryCredentialStore(BearerToken("t", expiresAt: Date(timeIntervalSince1970: seconds)))
        let refresher = TokenRefresher(store: store) { old, _ in old }
        let error = await call(refresher).value
        #expect((error == nil) == !(seconds < 0))
    }
}
