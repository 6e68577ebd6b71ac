import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation
@testable import NetworkEngineResilience
@testable import NetworkEngineStreams
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Extreme durations from a caller don't trap.
@Suite(.timeLimit(.minutes(5))) struct HostileDurationTests {
    /// The system clock, which reports a sleep of years.
    private struct FarClock: Clock {
        let reached = OneShot<Void>()
        private let clock = ContinuousClock()
        var now: ContinuousClock.Instant { clock.now }
        var minimumResolution: Duration { clock.minimumResolution }

        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
            guard clock.now.duration(to: deadline) > .seconds(365 * 86_400) else {
                return try await clock.sleep(until: deadline, tolerance: tolerance)
            }
            reached.settle(())
            try await OneShot<Void>().wait()
        }
    }

    static let long: [Duration] = [
        .seconds(Int64.max), .seconds(Int64.max / 2),
        Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
        // The components of these don't fit into their types.
        .seconds(Int64.max) * 2, .seconds(1e19),
    ]
    static let all = long + [.seconds(Int64.min), .seconds(Int64.min / 2), .seconds(Int64.min) * 2, .zero]

    private func provider(
        _ answers: MockAnswer...,
        clock: any Clock<Duration> = ContinuousClock(),
        with interceptors: [any RequestInterceptor] = [],
        _ change: (inout NetworkConfiguration) -> Void = { _ in }
    ) -> NetworkProvider<API> {
        let mock = MockTransport()
        for answer in answers { mock.on().answers(answer) }
        return NetworkProvider(mock, interceptors) {
            $0.clock = clock
            change(&$0)
        }
    }

    /// Waits until a call sleeps, and cancels it.
    private func sleepsUntilCancelled(_ clock: FarClock, _ call: @escaping @Sendable () async throws -> Void)
        async throws
    {
        let task = Task { try await call() }
        try await clock.reached.wait()
        task.cancel()
        let result = await task.result
        #expect(throws: (any Error).self) { try result.get() }
    }

    @Test(arguments: long) func `a timebase sleeps until it is canceled`(duration: Duration) async throws {
        let clock = FarClock()
        let timebase = Timebase.reading(clock)
        try await sleepsUntilCancelled(clock) { try await timebase.sleep(for: duration) }
        try await sleepsUntilCancelled(clock) { try await timebase.sleep(until: duration) }
    }

    @Test(arguments: long) func `a sleep of years on the machine's clock can be canceled`(duration: Duration) async {
        let timebase = Timebase.reading(ContinuousClock())
        let task = Task { try await timebase.sleep(for: duration) }
        await Task.yield()
        task.cancel()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
    }

    @Test(arguments: [Duration.seconds(Int64.min), .seconds(Int64.min / 2), .seconds(-1)])
    func `a timebase does not sleep backwards`(duration: Duration) async throws {
        let timebase = Timebase.reading(ContinuousClock())
        try await timebase.sleep(for: duration)
        try await timebase.sleep(until: duration)
    }

    @Test(arguments: long) func `any timeout and deadline of a configuration is accepted`(duration: Duration)
        async throws
    {
        _ = try await provider(.status(200)) { ($0.timeout, $0.deadline) = (duration, duration) }.send(.plain)
        _ = try await provider(.status(200)) { $0.timeout = duration }.send(.plain)
    }

    @Test(arguments: long) func `the longest timeouts of a request are a week for URLSession`(duration: Duration) throws
    {
        var request = try #require(URL(string: "http://a.test").map { HTTPRequest(url: $0) })
        request.timeout = duration
        #expect(request.urlRequest.timeoutInterval == 604_800)
    }

    @Test(arguments: all) func `any duration can be counted`(duration: Duration) {
        var histogram = MetricsSnapshot.Histogram()
        histogram.add(duration)
        #expect(histogram.count == 1 && histogram.sum >= 0)
    }

    @Test(arguments: all) func `any tolerance of a clock is accepted`(duration: Duration) async throws {
        _ = try await provider(.status(200), with: [ClockSkew(tolerance: duration)]).send(.plain)
    }

    @Test(arguments: all) func `any delay of a retry is accepted`(duration: Duration) async throws {
        struct Later: RequestInterceptor {
            let duration: Duration
            func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
                .retryAfter(duration)
            }
        }
        let clock = FarClock()
        let provider = provider(.status(503), .status(200), clock: clock, with: [Later(duration: duration)])
        guard duration > .zero else { return _ = try await provider.send(.plain) }
        try await sleepsUntilCancelled(clock) { _ = try await provider.send(.plain) }
    }

    @Test(arguments: all) func `any delay of a hedge is accepted`(duration: Duration) async throws {
        _ = try await provider(.status(200), .status(200), with: [Hedging(after: duration)]).send(.plain)
        _ = try await provider(.status(200), .status(200), with: [Hedging(afterPart: 0.9, first: duration)]).send(
            .plain)
    }

    @Test(arguments: all) func `any delay of a policy is accepted`(duration: Duration) async throws {
        for backoff in [
            Backoff.constant(duration), .exponential(base: duration, cap: duration),
            .decorrelatedJitter(base: duration, cap: duration), .custom(cap: duration) { _ in duration },
        ] {
            let pause = backoff.pause(retry: 70, previous: duration) { 1 }
            #expect(pause >= .zero)
        }
    }

    @Test(arguments: all) func `any rate is accepted`(duration: Duration) async throws {
        for burst in [Int.min, 1, .max] {
            for count in [Int.min, 1, .max] {
                var schedule = RateSchedule(count: count, per: duration, burst: burst)
                for _ in 0..<3 { _ = schedule.enter("a", at: .zero, within: .seconds(60)) }
                _ = schedule.pause("a", until: .seconds(30), at: .zero)
            }
        }
        var limit = RateLimit(1, per: .milliseconds(1))
        limit.maxWait = duration
        _ = try await provider(.status(200), with: [limit]).send(.plain)
    }

    @Test(arguments: all) func `any window of a refresh is accepted`(duration: Duration) async throws {
        var options = RefreshOptions()
        (options.advisoryWindow, options.mandatoryWindow) = (duration, duration)
        (options.excessWindow, options.random) = (duration, { 1 })
        let old = BearerToken("old", expiresAt: Date(timeIntervalSinceNow: 3_600))
        let refresher = TokenRefresher(store: InMemoryCredentialStore(old), options: options) { _, _ in
            BearerToken("new", expiresAt: Date(timeIntervalSinceNow: 7_200))
        }
        _ = try? await provider(.status(200), with: [refresher]).send(.plain)
    }

    @Test(arguments: long) func `any timeout of a refresh is accepted`(duration: Duration) async throws {
        var options = RefreshOptions()
        options.timeout = duration
        let refresher = TokenRefresher(store: InMemoryCredentialStore(BearerToken("old")), options: options) { _, _ in
            BearerToken("new")
        }
        _ = try await provider(.status(401), .status(200), with: [refresher]).send(.plain)
    }

    @Test(arguments: long) func `any wait for a network is accepted`(duration: Duration) async throws {
        let clock = FarClock()
        let network = Reachability(ScriptedReachability(.offline), debounce: .zero)
        let policy = OfflinePolicy(.waitForConnection(max: duration), reachability: network, clock: clock)
        let provider = provider(.failure(.offline), with: [policy])
        try await sleepsUntilCancelled(clock) { _ = try await provider.send(.plain) }
    }

    @Test(arguments: long) func `any settling time of a network is accepted`(duration: Duration) async throws {
        let clock = FarClock()
        let source = ScriptedReachability(.online)
        let reachability = Reachability(source, debounce: duration, clock: clock)
        #expect(reachability.current == .online)
        let listening = Task { for await _ in reachability {} }
        while clock.reached.value == nil, !Task.isCancelled {
            source.set(.offline)
            await Task.yield()
        }
        listening.cancel()
    }

    @Test(arguments: all) func `any times of a circuit are accepted`(duration: Duration) async throws {
        let breaker = CircuitBreaker(minimumCalls: 1, window: duration, breakTime: duration, probeTime: duration)
        let provider = provider(.status(500).repeating(), with: [breaker])
        for _ in 0..<3 { _ = try? await provider.send(.plain) }
    }

    @Test(arguments: long) func `any retry time of events is accepted`(duration: Duration) async throws {
        let clock = FarClock()
        var events = provider(.failure(.connect), clock: clock).events(.plain)
        events.retryDelay = duration
        try await sleepsUntilCancelled(clock) { [events] in for try await _ in events {} }
    }

    @Test func `any number of permits and queue entries is accepted`() async throws {
        var queue = WaitingQueue(perHost: .max, total: .max)
        #expect(queue.enter(host: "a", rank: .refresh).isAdmitted && queue.enter(host: "a", rank: .low).isAdmitted)
        #expect(queue.resize(perHost: .min, total: .min).isEmpty)
        _ = try await provider(.status(200), with: [ConcurrencyLimit(total: .max, perHost: .max, queueLength: .max)])
            .send(
                .plain)
        var options = URLSessionOptions()
        (options.totalLimit, options.queueLimit) = (.max, .max)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = .max
        let server = try LoopbackServer { _ in .status(200) }
        let transport = URLSessionTransport(configuration: configuration, options: options)
        defer { transport.shutdown() }
        for method in [HTTPMethod.get, .post] {
            let request = HTTPRequest(method: method, url: server.url)
            _ = try await transport.send(request, context: TransportContext(isRefresh: method == .post))
        }
    }
}
