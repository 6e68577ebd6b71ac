import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Refreshes that outlive their timeout, because their closures can't be canceled.
@Suite(.timeLimit(.minutes(5))) struct OverdueRefreshTests {
    /// A refresh through an SDK with callbacks: only `finish` ends it.
    private final class Stubborn: Sendable {
        private struct State {
            var running = 0
            var mostAtOnce = 0
            var waiters: [CheckedContinuation<BearerToken?, Never>] = []
        }

        private let state = Locked(State())
        let entered = OneShot<Void>()

        var mostAtOnce: Int { state.withLock { $0.mostAtOnce } }

        func refresh() async throws -> BearerToken {
            let token = await withCheckedContinuation { waiter in
                state.withLock { state in
                    state.running += 1
                    state.mostAtOnce = max(state.mostAtOnce, state.running)
                    state.waiters.append(waiter)
                }
                entered.settle(())
            }
            state.withLock { $0.running -= 1 }
            guard let token else { throw CancellationError() }
            return token
        }

        func finish(_ token: BearerToken?) {
            let waiters = state.withLock { state in
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.resume(returning: token) }
        }
    }

    private let rig = RefreshRig()
    private let clock = TestClock()
    private let stubborn = Stubborn()

    private func refresher() -> TokenRefresher<BearerToken> {
        var options = RefreshOptions()
        options.clock = clock
        return rig.refresher(options) { [stubborn] _, _ in try await stubborn.refresh() }
    }

    private func isTimeout(_ error: NetworkError?) -> Bool {
        if case .timedOut? = error?.underlying as? RefreshFailure { true } else { false }
    }

    /// Lets a first call's refresh time out.
    private func overdue() async throws -> NetworkProvider<TestTarget> {
        let provider = rig.provider([refresher()])
        async let first = provider.failure(TestTarget())
        try await stubborn.entered.wait()
        await clock.untilSleeping()
        clock.advance(by: .seconds(30))
        #expect(isTimeout(await first))
        return provider
    }

    @Test func `a refresh that ignores its timeout is awaited, and no second one starts`() async throws {
        let provider = try await overdue()
        async let second = provider.failure(TestTarget())
        await clock.untilSleeping()
        clock.advance(by: .seconds(30))
        #expect(isTimeout(await second))
        #expect(stubborn.mostAtOnce == 1)
        #expect(rig.refreshCount == 1)
        stubborn.finish(nil)
    }

    @Test func `the result of an overdue refresh is used by the calls that wait for it`() async throws {
        let provider = try await overdue()
        async let second = provider.failure(TestTarget())
        await clock.untilSleeping()
        stubborn.finish(BearerToken("new"))
        #expect(await second == nil)
        #expect(rig.refreshCount == 1)
        #expect(rig.store.current?.accessToken == "new")
    }

    @Test func `after an overdue refresh has failed, another starts`() async throws {
        let provider = try await overdue()
        async let second = provider.failure(TestTarget())
        await clock.untilSleeping()
        stubborn.finish(nil)
        while rig.refreshCount < 2 { await Task.yield() }
        while stubborn.mostAtOnce < 1 { await Task.yield() }
        await clock.untilSleeping()
        stubborn.finish(BearerToken("new"))
        _ = await second
        #expect(stubborn.mostAtOnce == 1)
    }

    @Test func `signing in again with the same credential starts no second refresh`() async throws {
        let refresher = refresher()
        let provider = rig.provider([refresher])
        let first = Task { await provider.failure(TestTarget()) }
        try await stubborn.entered.wait()
        let same = try #require(rig.store.current)
        try await refresher.signOut()
        try await refresher.signIn(same)
        #expect(await first.value?.kind == .authentication)
        let second = Task { await provider.failure(TestTarget()) }
        while rig.tokens.count < 2 { await Task.yield() }
        for _ in 0..<20 { await Task.yield() }
        #expect(rig.refreshCount == 1)
        stubborn.finish(BearerToken("new"))
        #expect(await second.value == nil)
        #expect(stubborn.mostAtOnce == 1)
    }

    @Test func `an overdue background refresh delays no call, and no second one starts`() async throws {
        rig.valid.withLock { $0 = ["old", "new"] }
        let soon = BearerToken("old", expiresIn: .seconds(200))
        _ = rig.store.save(soon, replacing: rig.store.current)
        let provider = rig.provider([refresher()])
        #expect(await provider.failure(TestTarget()) == nil)
        try await stubborn.entered.wait()
        await clock.untilSleeping()
        clock.advance(by: .seconds(60))
        #expect(await provider.failure(TestTarget()) == nil)
        #expect(rig.refreshCount == 1)
        stubborn.finish(nil)
    }

    @Test(arguments: [true, false])
    func `a refresher is released when an abandoned refresh has returned`(isSignOut: Bool) async throws {
        let (hasStarted, end) = (OneShot<Void>(), OneShot<BearerToken>())
        weak var released: TokenRefresher<BearerToken>?
        do {
            var options = RefreshOptions()
            options.clock = TestClock()
            let store = InMemoryCredentialStore(BearerToken("old", expiresAt: .distantPast))
            let refresher = TokenRefresher(store: store, options: options) { _, _ in
                hasStarted.settle(())
                return try await end.wait()
            }
            released = refresher
            let provider = NetworkProvider<API>(MockTransport(MockAnswer.status(200).repeating()), [refresher])
            let call = Task { await provider.failure(.plain) }
            try await hasStarted.wait()
            if isSignOut { try await refresher.signOut() } else { try await refresher.signIn(BearerToken("other")) }
            _ = await call.value
        }
        end.settle(BearerToken("new"))
        while released != nil, !Task.isCancelled { await Task.yield() }
        #expect(released == nil)
    }
}
