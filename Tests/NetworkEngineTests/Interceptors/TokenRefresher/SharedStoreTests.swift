import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Two refreshers that share a store, as in two processes.
@Suite(.timeLimit(.minutes(5))) struct SharedStoreTests {
    private let rig = RefreshRig()
    private let target = TestTarget()

    private func status(_ status: Int, _ body: String) -> NetworkError {
        let response = HTTPResponse(
            statusCode: status,
            body: .data(Data(body.utf8)),
            request: HTTPRequest(method: .post, url: API.base)
        )
        return NetworkError(kind: .status, response: response)
    }

    @Test func `a credential that another process refreshed is read from the store and used`() async throws {
        let (first, second) = (rig.refresher(), rig.refresher())
        rig.valid.withLock { $0 = ["old", "new"] }
        for refresher in [first, second] { _ = try await rig.provider([refresher]).send(target) }
        rig.valid.withLock { $0 = ["new"] }
        for refresher in [first, second] { _ = try await rig.provider([refresher]).send(target) }
        #expect(rig.refreshCount == 1)
        #expect(rig.tokens.last == "Bearer new")
    }

    @Test func `an invalid_grant keeps the session if another process used the refresh token first`() async throws {
        let refresher = rig.refresher { [store = rig.store] old, _ in
            _ = store.save(BearerToken("new", refreshToken: "r2"), replacing: old)
            throw status(400, #"{"error": "invalid_grant"}"#)
        }
        _ = try await rig.provider([refresher]).send(target)
        #expect(rig.tokens == ["Bearer old", "Bearer new"])
        #expect(rig.expirations.withLock { $0 } == 0)
    }

    @Test(arguments: [
        (400, #"{"error": "invalid_grant"}"#, true), (401, "", false), (401, #"{"error": "invalid_grant"}"#, true),
        (400, String(repeating: "[", count: 513), false),
        (401, #"{"error": "invalid_client"}"#, false), (400, #"{"error": "invalid_request"}"#, false),
        (500, "", false), (503, "<html>", false), (400, "garbage", false), (403, "", false),
    ])
    func `only an error that says the grant is invalid ends the session`(status: Int, body: String, isOver: Bool) async
    {
        let refresher = rig.refresher { _, _ in throw self.status(status, body) }
        _ = await rig.provider([refresher]).failure(target)
        #expect(rig.expirations.withLock { $0 } == (isOver ? 1 : 0))
        #expect((rig.store.current == nil) == isOver)
    }

    @Test func `a network failure keeps the session`() async throws {
        let fails = Locked(true)
        let refresher = rig.refresher { _, _ in
            if fails.withLock({ $0 }) { throw NetworkError(kind: .connection, transportFailure: .lostBeforeResponse) }
            return BearerToken("new")
        }
        #expect(await rig.provider([refresher]).failure(target)?.kind == .authentication)
        fails.withLock { $0 = false }
        _ = try await rig.provider([refresher]).send(target)
        #expect(rig.expirations.withLock { $0 } == 0)
    }

    @Test func `a shared store is locked during the refresh and replaced only if unchanged`()
        async throws
    {
        struct Locking: CredentialStore {
            let inner: InMemoryCredentialStore<BearerToken>
            let trail: Locked<[String]>
            func load() async throws -> BearerToken? { inner.load() }
            func save(_ new: BearerToken?, replacing old: BearerToken?) async throws -> Bool {
                trail.withLock { $0.append("save") }
                return inner.save(new, replacing: old)
            }
            func exclusively<Result: Sendable>(
                _ work: @Sendable () async -> Result
            ) async throws -> Result {
                trail.withLock { $0.append("lock") }
                defer { trail.withLock { $0.append("unlock") } }
                return await work()
            }
        }
        let trail = Locked<[String]>([])
        let refresher = TokenRefresher(store: Locking(inner: rig.store, trail: trail)) { _, _ in BearerToken("new") }
        _ = try await rig.provider([refresher]).send(target)
        #expect(trail.withLock { $0 } == ["lock", "save", "unlock"])
    }

    @Test func `the result of a refresh is dropped after a sign-out in another process`() async {
        let refresher = rig.refresher { [store = rig.store] old, _ in
            _ = store.save(nil, replacing: old)
            return BearerToken("new")
        }
        #expect(await rig.provider([refresher]).failure(target)?.kind == .authentication)
        #expect(rig.store.current == nil)
    }

    @Test func `two concurrent refreshes end with the same credential`() async throws {
        let both = Locked(0)
        let met = OneShot<Void>()
        func refresher(_ name: String) -> TokenRefresher<BearerToken> {
            rig.refresher { _, _ in
                if both.withLock({ count in
                    count += 1; return count
                }) == 2 {
                    met.settle(())
                }
                try await met.wait()
                return BearerToken(name)
            }
        }
        rig.valid.withLock { $0 = ["a", "b"] }
        let (first, second) = (rig.provider([refresher("a")]), rig.provider([refresher("b")]))
        async let one = first.send(target)
        async let two = second.send(target)
        _ = try await (one, two)
        let replays = Set(rig.tokens.compactMap { $0 }).subtracting(["Bearer old"])
        #expect(replays == [rig.store.current.map { "Bearer \($0.accessToken)" } ?? ""])
    }
}
