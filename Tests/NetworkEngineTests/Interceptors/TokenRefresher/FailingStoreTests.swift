import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Stores that reject changes, like a locked keychain or a full disk.
@Suite(.timeLimit(.minutes(5))) struct FailingStoreTests {
    private struct Refusal: Error {}

    /// A store that rejects changes while it's locked. It can always be read.
    private struct LockedStore: CredentialStore {
        let inner: InMemoryCredentialStore<BearerToken>
        let isLocked = Locked(true)

        init(_ token: BearerToken?) { inner = InMemoryCredentialStore(token) }

        func unlock() { isLocked.withLock { $0 = false } }

        func load() async throws -> BearerToken? { inner.load() }

        func save(_ new: BearerToken?, replacing old: BearerToken?) async throws -> Bool {
            if isLocked.withLock({ $0 }) { throw Refusal() }
            return inner.save(new, replacing: old)
        }
    }

    private let rig = RefreshRig()
    private let refreshed = Locked<[String]>([])

    private var mock: MockTransport { rig.mock }
    private var valid: Locked<Set<String>> { rig.valid }
    private var expirations: Locked<Int> { rig.expirations }

    /// Creates a refresher that appends a mark to each refreshed token.
    private func refresher(
        _ store: some CredentialStore<BearerToken>,
        _ refresh: @escaping @Sendable (BearerToken) throws -> BearerToken = { BearerToken($0.accessToken + "+") }
    ) -> TokenRefresher<BearerToken> {
        TokenRefresher(
            store: store,
            refresh: { [refreshed] old, _ in
                refreshed.withLock { $0.append(old.accessToken) }
                return try refresh(old)
            },
            onSessionExpired: { [expirations] in expirations.withLock { $0 += 1 } }
        )
    }

    private func failure(_ refresher: TokenRefresher<BearerToken>) async -> NetworkError? {
        await NetworkProvider<API>(mock, [refresher]).failure(.plain)
    }

    @Test(arguments: [false, true])
    func `a signed-out user stays signed out when the store keeps the credential`(hasBeenUsed: Bool) async throws {
        valid.withLock { $0 = ["old"] }
        let store = LockedStore(BearerToken("old"))
        let refresher = refresher(store)
        if hasBeenUsed { #expect(await failure(refresher) == nil) }
        let sent = mock.requests.count
        await #expect(throws: Refusal.self) { try await refresher.signOut() }
        for _ in 0..<2 { #expect(await failure(refresher)?.kind == .authentication) }
        #expect(mock.requests.count == sent)
        #expect(store.inner.current == BearerToken("old"))
    }

    @Test func `the call after a failed sign-out removes the credential`() async throws {
        let store = LockedStore(BearerToken("old"))
        let refresher = refresher(store)
        await #expect(throws: Refusal.self) { try await refresher.signOut() }
        store.unlock()
        #expect(await failure(refresher)?.kind == .authentication)
        #expect(await failure(refresher)?.kind == .authentication)
        #expect(store.inner.current == nil)
    }

    @Test func `a sign-in that the store refused outlasts its refresh, which is stored when the store works`() async {
        valid.withLock { $0 = ["new+"] }
        let store = LockedStore(nil)
        let refresher = refresher(store)
        await #expect(throws: Refusal.self) { try await refresher.signIn(BearerToken("new")) }
        store.unlock()
        #expect(await failure(refresher) == nil)
        #expect(expirations.withLock { $0 } == 0)
        while store.inner.current != BearerToken("new+") { await Task.yield() }
    }

    @Test(arguments: [false, true])
    func `a refresh that a sign-out abandons stores nothing, even after a refused sign-in`(signsIn: Bool) async throws {
        let store = LockedStore(nil)
        let (entered, leave) = (OneShot<Void>(), OneShot<Void>())
        let refresher = TokenRefresher(store: store) { old, _ in
            guard old.accessToken == "first" else { return BearerToken(old.accessToken + "+") }
            entered.settle(())
            try await leave.wait()
            return BearerToken("first+")
        }
        await #expect(throws: Refusal.self) { try await refresher.signIn(BearerToken("first")) }
        store.unlock()
        let call = Task { await failure(refresher) }
        try await entered.wait()
        try await refresher.signOut()
        if signsIn { try await refresher.signIn(BearerToken("second")) }
        leave.settle(())
        #expect(await call.value?.kind == .authentication)
        valid.withLock { $0 = ["second+"] }
        #expect(await (failure(refresher) == nil) == signsIn)
        #expect(store.inner.current == (signsIn ? BearerToken("second+") : nil))
        #expect(!mock.requests.contains { $0.headers["Authorization"] == "Bearer first+" })
    }

    @Test func `a sign-out during a call and its refresh leaves no credential`() async throws {
        let store = LockedStore(nil)
        store.unlock()
        let refresher = refresher(store)
        try await refresher.signIn(BearerToken("first"))
        for _ in 0..<20 {
            let call = Task { await failure(refresher) }
            await Task.yield()
            try await refresher.signOut()
            _ = await call.value
            #expect(try await !refresher.isSignedIn)
            #expect(store.inner.current == nil)
            try await refresher.signIn(BearerToken("first"))
        }
    }

    @Test func `a refresh never returns to the user whose sign-out and successor the store refused`() async {
        valid.withLock { $0 = ["other", "user+"] }
        let store = LockedStore(BearerToken("other"))
        let refresher = refresher(store)
        await #expect(throws: Refusal.self) { try await refresher.signOut() }
        await #expect(throws: Refusal.self) { try await refresher.signIn(BearerToken("user")) }
        #expect(await failure(refresher) == nil)
        #expect(mock.requests.map { $0.headers["Authorization"] } == ["Bearer user", "Bearer user+"])
        #expect(refreshed.withLock { $0 } == ["user"])
    }

    @Test func `a refreshed credential that the store refused is the next to be refreshed`() async {
        valid.withLock { $0 = ["a+"] }
        let store = LockedStore(BearerToken("a"))
        let refresher = refresher(store)
        #expect(await failure(refresher) == nil)
        valid.withLock { $0 = ["a++"] }
        store.unlock()
        #expect(await failure(refresher) == nil)
        #expect(refreshed.withLock { $0 } == ["a", "a+"])
        while store.inner.current != BearerToken("a++") { await Task.yield() }
    }

    @Test func `a credential that another process stores after a refused change is used`() async {
        valid.withLock { $0 = ["a+"] }
        let store = LockedStore(BearerToken("a"))
        let refresher = refresher(store)
        #expect(await failure(refresher) == nil)
        store.unlock()
        valid.withLock { $0 = ["b"] }
        #expect(store.inner.save(BearerToken("b"), replacing: BearerToken("a")))
        #expect(await failure(refresher) == nil)
        #expect(refreshed.withLock { $0 } == ["a"])
    }

    @Test func `an ended session stays over when the store keeps its credential`() async throws {
        let store = LockedStore(BearerToken("old"))
        let refresher = refresher(store) { _ in throw RefreshFailure.sessionExpired }
        for _ in 0..<3 { #expect(await failure(refresher)?.kind == .authentication) }
        #expect(expirations.withLock { $0 } == 1)
        #expect(refreshed.withLock { $0 } == ["old"])
        #expect(try await !refresher.isSignedIn)
        // Another process signs in.
        store.unlock()
        valid.withLock { $0 = ["new"] }
        _ = store.inner.save(BearerToken("new"), replacing: store.inner.current)
        #expect(await failure(refresher) == nil)
        #expect(try await refresher.isSignedIn)
    }

    @Test func `a user is signed in with a credential in memory or in the store`() async throws {
        let stored = refresher(InMemoryCredentialStore(BearerToken("t")))
        #expect(try await stored.isSignedIn)
        try await stored.signOut()
        #expect(try await !stored.isSignedIn)
        let empty = refresher(LockedStore(nil))
        #expect(try await !empty.isSignedIn)
        await #expect(throws: Refusal.self) { try await empty.signIn(BearerToken("t")) }
        #expect(try await empty.isSignedIn)
        try await empty.signOut()
        #expect(try await !empty.isSignedIn)
    }
}
