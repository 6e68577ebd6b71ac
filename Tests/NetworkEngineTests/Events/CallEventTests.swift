import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

/// The events of calls over a mock, for each way a call can end.
@Suite(.timeLimit(.minutes(5))) struct CallEventTests {
    private let log = EventLog()

    private func provider(
        _ mock: MockTransport, _ interceptors: [any RequestInterceptor] = [],
        _ change: (inout NetworkConfiguration) -> Void = { _ in }
    ) -> NetworkProvider<TestTarget> {
        NetworkProvider(mock, interceptors) { configuration in
            configuration.observers = [log]
            change(&configuration)
        }
    }

    private static let exchange = ["exchangeStarted", "admitted", "responded", "exchangeEnded"]
    private var names: [String] { log.names.filter { $0 != "progressed" } }

    @Test func `a value has the events of its call, attempt, exchange and decoding when the caller continues`()
        async throws
    {
        let value = try await provider(MockTransport(.json("7"))).request(TestTarget(), as: Int.self)
        #expect(value == 7)
        #expect(
            names == ["callStarted", "attemptStarted"] + Self.exchange + ["attemptEnded", "decoded", "callEnded"])
        #expect(log.faults == [] && log.outcomes == [nil])
    }

    @Test func `a body that cannot be decoded ends the call with its error`() async throws {
        _ = try? await provider(MockTransport(.json("[]"))).request(TestTarget(), as: Int.self)
        #expect(names.suffix(3) == ["attemptEnded", "decoded", "callEnded"])
        #expect(log.outcomes == [.decoding] && log.faults == [])
    }

    @Test func `a value that stays on the actor of its caller is decoded within the call`() async throws {
        final class Local: Decodable { let n: Int }
        _ = try? await provider(MockTransport(.json("[]"))).request(TestTarget(), as: Local.self)
        #expect(names.suffix(3) == ["attemptEnded", "decoded", "callEnded"])
        #expect(log.outcomes == [.decoding] && log.faults == [])
    }

    @Test func `a replay after a refresh is no retry`() async throws {
        let refresher = TokenRefresher(store: InMemoryCredentialStore(BearerToken("old", refreshToken: "r"))) { _, _ in
            BearerToken("new")
        }
        _ = try await provider(MockTransport(.status(401), .status(200)), [refresher]).data(TestTarget())
        let reasons = log.events.compactMap { event -> NetworkEvent.RetryChoice.Reason? in
            if case .retryDecided(let choice) = event.kind { choice.reason } else { nil }
        }
        #expect(reasons == [.refreshed])
    }

    @Test func `a retry has a decision with its pause, and the last attempt one with the reason`() async throws {
        var retries = RetryPolicy(attemptLimit: 2)
        retries.backoff = .constant(.zero)
        _ = try? await provider(MockTransport(.status(503), .status(503)), [retries]) { $0.attemptLimit = 2 }
            .data(TestTarget())
        let choices = log.events.compactMap { event -> NetworkEvent.RetryChoice? in
            if case .retryDecided(let choice) = event.kind { choice } else { nil }
        }
        #expect(choices.count == 2 && choices.first?.reason == .advised && choices.first?.delay == .zero)
        #expect(choices.last?.delay == nil && [.notAdvised, .attemptLimit].contains(choices.last?.reason))
        #expect(log.outcomes == [.status] && log.faults == [])
        #expect(log.events.last?.attempt == 2)
    }

    @Test func `a redirect has an exchange for each hop`() async throws {
        let mock = MockTransport(.redirect(to: "/new"), .status(200))
        _ = try await provider(mock).data(TestTarget())
        let between = Self.exchange + ["redirected"] + Self.exchange
        #expect(names == ["callStarted", "attemptStarted"] + between + ["attemptEnded", "callEnded"])
        #expect(log.faults == [])
    }

    @Test func `a call that is canceled before it starts has a start and an end`() async throws {
        let provider = provider(MockTransport(.status(200)))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await provider.data(TestTarget())
        }
        _ = await task.result
        #expect(names.first == "callStarted" && names.last == "callEnded")
        #expect(log.outcomes == [.cancelled] && log.faults == [])
    }

    @Test func `a call that is canceled during its exchange ends everything that is open`() async throws {
        let provider = provider(MockTransport(.hang))
        let handle = provider.start(TestTarget(), as: Int.self)
        while !names.contains("admitted") { await Task.yield() }
        handle.cancel()
        _ = await handle.result
        #expect(names.suffix(3) == ["exchangeEnded", "attemptEnded", "callEnded"])
        #expect(log.outcomes == [.cancelled] && log.faults == [])
    }

    @Test func `a deadline ends everything that is open, and nothing comes later`() async throws {
        let clock = TestClock()
        let provider = provider(MockTransport(.hang), [RetryPolicy()]) {
            $0.clock = clock
            $0.deadline = .seconds(5)
        }
        async let result: Data? = try? provider.data(TestTarget())
        while !names.contains("admitted") { await Task.yield() }
        clock.advance(by: .seconds(5))
        _ = await result
        #expect(log.outcomes == [.timeout] && log.faults == [])
        #expect(names.last == "callEnded")
    }

    @Test func `a callback runs after the end of its call`() async throws {
        let provider = provider(MockTransport(.json("7")))
        let ends = await withCheckedContinuation { done in
            _ = provider.request(TestTarget(), as: Int.self, queue: .global()) { [log] _ in
                done.resume(returning: log.outcomes.count)
            }
        }
        #expect(ends == 1)
    }

    @Test func `a request that cannot be built has no events`() async throws {
        let provider = provider(MockTransport(.json("7")))
        _ = try? await provider.data(TestTarget(baseURL: URL(fileURLWithPath: "/")))
        _ = await provider.start(TestTarget(baseURL: URL(fileURLWithPath: "/")), as: Int.self).result
        #expect(log.events.isEmpty)
    }

    @Test func `the start has the name of the target and its template`() async throws {
        struct Templated: TargetType {
            let baseURL = API.base
            let path = "/users/7"
            var template: String { "/users/{id}" }
        }
        let provider = NetworkProvider<AnyTarget>(MockTransport(.status(200), .status(200))) { $0.observers = [log] }
        _ = try await provider.data(AnyTarget(Templated()))
        _ = try await provider.data(AnyTarget(baseURL: API.base))
        let starts = log.events.compactMap { event -> NetworkEvent.CallStart? in
            if case .callStarted(let start) = event.kind { start } else { nil }
        }
        #expect(starts.map(\.targetName) == ["Templated", nil])
        #expect(starts.map(\.template) == ["/users/{id}", nil])
    }

    @Test func `calls that share an exchange have an attempt each, and one of them the exchange`() async throws {
        let gate = OneShot<Void>()
        let mock = MockTransport(
            .handler { _ in
                try await gate.wait()
                return .json("7")
            })
        let sharing = Deduplication()
        let provider = provider(mock, [sharing])
        async let first: Int = provider.request(TestTarget())
        async let second: Int = provider.request(TestTarget())
        while sharing.waitingCalls < 2 { await Task.yield() }
        gate.settle(())
        let values = try await [first, second]
        #expect(values == [7, 7] && log.outcomes == [nil, nil] && log.faults == [])
        #expect(names.filter { $0 == "attemptStarted" }.count == 2)
        #expect(names.filter { $0 == "exchangeStarted" }.count == 1)
    }

    @Test func `a hedged request has two exchanges within one attempt`() async throws {
        let mock = MockTransport(.hang, .json("7"))
        let value: Int = try await provider(mock, [Hedging(after: .zero, extraLoad: 1)]).request(TestTarget())
        #expect(value == 7 && log.faults == [] && log.outcomes == [nil])
        #expect(names.filter { $0 == "attemptStarted" }.count == 1)
        #expect(names.filter { $0 == "exchangeEnded" }.count == 2)
    }

    @Test func `a rejected token has a refresh between two attempts, and the refresh a call of its own`() async throws {
        let mock = MockTransport(.status(401), .json("{}"), .json("7"))
        let store = InMemoryCredentialStore<BearerToken>(BearerToken("old"))
        let refresher = TokenRefresher(store: store) { _, context in
            _ = try await context.send(HTTPRequest(url: API.base))
            return BearerToken("new")
        }
        let value: Int = try await provider(mock, [refresher]).request(TestTarget())
        #expect(value == 7 && log.faults == [] && log.outcomes == [nil, nil])
        let refreshes = log.events.compactMap { event -> NetworkEvent.Refresh? in
            switch event.kind {
            case .refreshStarted(let refresh), .refreshEnded(let refresh): refresh
            default: nil
            }
        }
        #expect(refreshes == [.init(isJoined: false), .init(isJoined: false, outcome: .succeeded)])
    }
}
