import Dispatch
import Foundation
import NetworkEngineStreams
import TestSupport

@testable import NetworkEngine
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

/// Calls of every kind, over engines with different interceptors, that end in every way.
struct EventStorm {
    /// A type that can't leave its caller's actor.
    private final class Local: Decodable {
        init(from decoder: any Decoder) throws { _ = try decoder.singleValueContainer().decode(Int.self) }
    }

    private static let refresh = API.base.deletingLastPathComponent().appending(path: "refresh")
    private let providers: [NetworkProvider<TestTarget>]

    init(_ observer: any NetworkObserver) {
        let transport = StormTransport()
        func provider(
            _ interceptors: [any RequestInterceptor], _ change: (inout NetworkConfiguration) -> Void = { _ in }
        ) -> NetworkProvider<TestTarget> {
            NetworkProvider(transport, interceptors) { configuration in
                configuration.observers = [observer]
                configuration.timeout = .milliseconds(3)
                change(&configuration)
            }
        }
        var retries = RetryPolicy()
        retries.backoff = .constant(.zero)
        let store = InMemoryCredentialStore<BearerToken>(BearerToken("0"))
        // The limit applies to real time, and a fast machine would exceed it.
        var options = RefreshOptions()
        options.excessWindow = .zero
        let refresher = TokenRefresher(store: store, options: options) { old, context in
            _ = try await context.send(HTTPRequest(url: Self.refresh))
            return BearerToken((Int(old.accessToken) ?? 0).advanced(by: 1).description)
        }
        providers = [
            provider([]),
            provider([retries, refresher, Deduplication()]),
            provider([Hedging(after: .zero, extraLoad: 1), Deduplication()]),
            provider([retries]) { $0.deadline = .milliseconds(1) },
            provider([]) { ($0.deadline, $0.attemptLimit) = (.milliseconds(2), 1) },
        ]
    }

    /// Makes consecutive calls.
    func run(_ count: Int, seed: UInt64) async {
        var numbers = SeededNumbers(seed: seed)
        for _ in 0..<count {
            let provider = providers[Int.random(in: 0..<providers.count, using: &numbers)]
            await call(provider, Int.random(in: 0..<100, using: &numbers))
        }
    }

    private func call(_ provider: NetworkProvider<TestTarget>, _ die: Int) async {
        let target = TestTarget(path: "/\(die % 5)")
        switch die {
        case 0..<35: _ = try? await provider.request(target, as: Int.self)
        case 35..<45: _ = try? await provider.request(target, as: [String].self)
        case 45..<50: _ = try? await provider.request(target, as: Local.self)
        case 50..<60:
            let task = Task { try await provider.data(target) }
            if die % 2 == 0 { await Task.yield() }
            task.cancel()
            _ = await task.result
        case 60..<67: _ = await provider.start(target, as: Int.self).result
        case 67..<75:
            let handle = provider.start(target, as: Int.self)
            if die % 2 == 0 { await Task.yield() }
            handle.cancel()
            _ = await handle.result
        case 75..<80:
            await withCheckedContinuation { done in
                _ = provider.request(target, as: Int.self, queue: .global()) { _ in done.resume() }
            }
        case 80..<90: await stream(provider, target, die)
        case 90..<97: await events(provider, target, die)
        default: if let file = try? await provider.download(target) { try? FileManager.default.removeItem(at: file) }
        }
    }

    private func stream(_ provider: NetworkProvider<TestTarget>, _ target: TestTarget, _ die: Int) async {
        guard let stream = try? await provider.stream(target), die % 3 > 0 else { return }
        do {
            for try await _ in stream where die % 3 == 1 { break }
        } catch {}
    }

    private func events(_ provider: NetworkProvider<TestTarget>, _ target: TestTarget, _ die: Int) async {
        var events = provider.events(target)
        (events.retryDelay, events.minimumRetryDelay, events.reconnectLimit) = (.zero, .zero, 2)
        var count = 0
        do {
            for try await _ in events {
                count += 1
                if count == die % 4 + 1 { break }
            }
        } catch {}
    }
}
