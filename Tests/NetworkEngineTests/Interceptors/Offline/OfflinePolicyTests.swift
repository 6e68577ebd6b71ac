import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct OfflinePolicyTests {
    private let network = ScriptedReachability(.offline)
    private let clock = TestClock()

    private func policy(_ mode: OfflineMode, isGate: Bool = false) -> OfflinePolicy {
        let reachability = Reachability(network, debounce: .zero)
        return OfflinePolicy(mode, reachability: reachability, isGate: isGate, clock: clock, random: { 0 })
    }

    private func provider(_ mock: MockTransport, _ policy: OfflinePolicy) -> NetworkProvider<API> {
        NetworkProvider(mock, [policy, RetryPolicy(backoff: .constant(.zero))])
    }

    @Test func `the first attempt is made in any state of the monitor`() async throws {
        let mock = MockTransport(.status(200))
        _ = try await provider(mock, policy(.failFast)).send(.plain)
        #expect(mock.requests.count == 1)
    }

    @Test(arguments: [TransportFailure.offline, .dns, .connect])
    func `failing fast without a network makes one attempt`(failure: TransportFailure) async {
        let mock = MockTransport(MockAnswer.failure(failure).repeating())
        #expect(await provider(mock, policy(.failFast)).failure(.plain)?.transportFailure == failure)
        #expect(mock.requests.count == 1)
    }

    @Test func `with a network a failure is left to other interceptors`() async {
        network.set(.online)
        let mock = MockTransport(MockAnswer.failure(.connect).repeating())
        _ = await provider(mock, policy(.failFast)).failure(.plain)
        #expect(mock.requests.count == 3)
    }

    @Test func `a request waits for the network and is sent again`() async throws {
        let mock = MockTransport(.failure(.offline), .status(200))
        async let response = provider(mock, policy(.waitForConnection(max: .seconds(5)))).send(.plain)
        await clock.untilSleeping()
        network.set(.online)
        _ = try await response
        #expect(mock.requests.count == 2)
    }

    @Test func `when the network does not come, the error is the original one`() async {
        let mock = MockTransport(.failure(.dns))
        async let error = provider(mock, policy(.waitForConnection(max: .seconds(5)))).failure(.plain)
        await clock.advanceToNextSleeper()
        #expect(await error?.transportFailure == .dns)
        #expect(clock.now.offset == .seconds(5))
    }

    @Test func `a call whose deadline passes while it waits for the network tells that there was none`() async {
        let mock = MockTransport(.failure(.offline))
        let policy = policy(.waitForConnection(max: .seconds(60)))
        let provider = NetworkProvider<API>(mock, [policy]) { [clock] configuration in
            (configuration.clock, configuration.deadline) = (clock, .seconds(5))
        }
        async let error = provider.failure(.plain)
        // The deadline and the wait for the network.
        await clock.untilSleeping(atLeast: 2)
        await clock.advanceToNextSleeper()
        let failure = await error
        #expect(failure?.transportFailure == .timeout(.deadline))
        #expect(failure?.attempts.map(\.kind) == [.offline] && failure?.attempts.first?.delay == nil)
        #expect(failure?.localizedDescription == NetworkError(kind: .offline).localizedDescription)
    }

    @Test func `a server that is slow after the network has returned is no lack of network`() async throws {
        let mock = MockTransport(.failure(.offline), .hang)
        let policy = policy(.waitForConnection(max: .seconds(3)))
        let provider = NetworkProvider<API>(mock, [policy]) { [clock] configuration in
            (configuration.clock, configuration.deadline) = (clock, .seconds(5))
        }
        async let error = provider.failure(.plain)
        await clock.untilSleeping(within: .seconds(4))
        network.set(.online)
        while mock.requests.count < 2 { await Task.yield() }
        clock.advance(by: .seconds(5))
        let failure = await error
        #expect(failure?.transportFailure == .timeout(.deadline) && failure?.attempts.first?.delay == .zero)
        #expect(failure?.localizedDescription == NetworkError(kind: .timeout).localizedDescription)
    }

    @Test func `a policy without a clock waits by that of the configuration`() async {
        let policy = OfflinePolicy(
            .waitForConnection(max: .seconds(5)), reachability: Reachability(network, debounce: .zero))
        let provider = NetworkProvider<API>(MockTransport(.failure(.dns)), [policy]) { [clock] in $0.clock = clock }
        async let error = provider.failure(.plain)
        await clock.advanceToNextSleeper(within: .seconds(5))
        #expect(await error?.transportFailure == .dns)
        #expect(clock.now.offset == .seconds(5))
    }

    @Test func `a waiting request ends at once on cancellation`() async {
        let mock = MockTransport(.failure(.offline))
        let call = Task { await provider(mock, policy(.waitForConnection(max: .seconds(5)))).failure(.plain) }
        await clock.untilSleeping()
        call.cancel()
        #expect(await call.value?.kind == .cancelled)
    }

    @Test func `queued requests are sent one at a time in order`() async throws {
        let mock = MockTransport()
        let seen = Locked<[String]>([])
        mock.on().answers(
            MockAnswer.handler { [network] request in
                if network.current() == .offline { return .failure(.offline) }
                seen.withLock { $0.append(request.url.lastPathComponent) }
                return .status(200)
            }.repeating()
        )
        let provider = provider(mock, policy(.queueAndReplay(limit: 10, expiry: .seconds(60))))
        var calls: [Task<Void, any Error>] = []
        for name in ["a", "b", "c"] {
            calls.append(Task { _ = try await provider.send(.at(name)) })
            await clock.untilSleeping(atLeast: calls.count)
        }
        network.set(.online)
        try await calls[0].value
        await clock.untilSleeping(atLeast: 2, within: .seconds(1))
        clock.advance(by: .milliseconds(50))
        try await calls[1].value
        clock.advance(by: .milliseconds(50))
        try await calls[2].value
        #expect(seen.withLock { $0 } == ["a", "b", "c"])
    }

    @Test func `the queue has a limit and takes no request that is not idempotent`() async {
        let mock = MockTransport(MockAnswer.failure(.offline).repeating())
        let provider = provider(mock, policy(.queueAndReplay(limit: 1, expiry: .seconds(60))))
        #expect(await provider.failure(.post)?.kind == .offline)
        let first = Task { await provider.failure(.plain) }
        await clock.untilSleeping()
        #expect(await provider.failure(.plain)?.kind == .offline)
        clock.advance(by: .seconds(60))
        #expect(await first.value?.kind == .offline)
    }

    /// A provider with requests that lose the network again.
    private func losing(_ mode: OfflineMode, _ mock: MockTransport) -> NetworkProvider<API> {
        let reachability = Reachability(network, debounce: .zero)
        mock.on().answers(
            MockAnswer.handler { [network] _ in
                network.set(.offline)
                while reachability.current != .offline { await Task.yield() }
                return .failure(.offline)
            }.repeating())
        return provider(mock, OfflinePolicy(mode, reachability: reachability, clock: clock, random: { 0 }))
    }

    @Test func `a network that is lost again does not extend the wait`() async {
        let mock = MockTransport()
        let provider = losing(.queueAndReplay(limit: 10, expiry: .seconds(60)), mock)
        let call = Task { await provider.failure(.plain) }
        await clock.untilSleeping()
        clock.advance(by: .seconds(40))
        network.set(.online)
        while mock.requests.count < 2 { await Task.yield() }
        await clock.untilSleeping(atLeast: 1, within: .seconds(20))
        clock.advance(by: .seconds(20))
        #expect(await call.value?.kind == .offline)
        #expect(mock.requests.count == 2)
    }

    @Test func `a request that comes while the queue is emptied is sent last`() async throws {
        let mock = MockTransport()
        mock.on().answers(
            MockAnswer.handler { [network] _ in network.current() == .offline ? .failure(.offline) : .status(200) }
                .repeating())
        let provider = provider(mock, policy(.queueAndReplay(limit: 10, expiry: .seconds(60))))
        var calls: [Task<Void, any Error>] = []
        for name in ["a", "b"] {
            calls.append(Task { _ = try await provider.send(.at(name)) })
            await clock.untilSleeping(atLeast: calls.count)
        }
        network.set(.online)
        try await calls[0].value
        await clock.untilSleeping(atLeast: 1, within: .seconds(1))
        clock.advance(by: .milliseconds(10))
        calls.append(Task { _ = try await provider.send(.at("c")) })
        await clock.untilSleeping(atLeast: 2, within: .seconds(1))
        clock.advance(by: .milliseconds(40))
        try await calls[1].value
        clock.advance(by: .milliseconds(10))
        try await calls[2].value
        let sent = mock.requests.map(\.url.lastPathComponent)
        #expect(sent.suffix(3) == ["a", "b", "c"])
    }

    @Test func `a turn does not come after the expiry`() async throws {
        let mock = MockTransport()
        mock.on().answers(
            MockAnswer.handler { [network] _ in network.current() == .offline ? .failure(.offline) : .status(200) }
                .repeating())
        let provider = provider(mock, policy(.queueAndReplay(limit: 100, expiry: .seconds(1))))
        var calls: [Task<Void, any Error>] = []
        for number in 0..<50 {
            calls.append(Task { _ = try await provider.send(.at("\(number)")) })
            await clock.untilSleeping(atLeast: calls.count)
        }
        network.set(.online)
        try await calls[0].value
        await clock.untilSleeping(atLeast: 49, within: .seconds(1))
        clock.advance(by: .seconds(1))
        for call in calls { try await call.value }
        #expect(mock.requests.count == 100)
    }

    @Test func `in gate mode nothing is sent without a network`() async throws {
        let mock = MockTransport(.status(200))
        #expect(await provider(mock, policy(.failFast, isGate: true)).failure(.plain)?.kind == .offline)
        #expect(mock.requests.isEmpty)
        _ = try await provider(mock, policy(.failFast, isGate: true)).send(.at("http://127.0.0.1/"))
    }

    /// The result of work; `nil` if this number of tasks sleep before it ends.
    private func result<Value: Sendable>(
        beforeSleepers count: Int, within window: Duration? = nil, of work: @escaping @Sendable () async -> Value?
    ) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { await work() }
            group.addTask { [clock] in
                await clock.untilSleeping(atLeast: count, within: window)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    @Test func `the gate queues no more than the limit, and nothing that may not happen twice`() async {
        let mock = MockTransport(MockAnswer.status(200).repeating())
        let provider = provider(mock, policy(.queueAndReplay(limit: 1, expiry: .seconds(60)), isGate: true))
        let unsafe = await result(beforeSleepers: 1) { await provider.failure(.post)?.kind }
        let first = Task { await provider.failure(.plain) }
        await clock.untilSleeping()
        let second = await result(beforeSleepers: 2) { await provider.failure(.plain)?.kind }
        #expect(unsafe == .offline && second == .offline)
        clock.advance(by: .seconds(60))
        #expect(await first.value?.kind == .offline)
        #expect(mock.requests.isEmpty)
    }

    @Test func `requests that waited at the gate are sent one at a time in order`() async throws {
        let mock = MockTransport(MockAnswer.status(200).repeating())
        let provider = provider(mock, policy(.queueAndReplay(limit: 10, expiry: .seconds(60)), isGate: true))
        var calls: [Task<Void, any Error>] = []
        let isLastSent = OneShot<Bool>()
        for name in ["a", "b", "c"] {
            calls.append(
                Task {
                    _ = try await provider.send(.at(name))
                    if name == "c" { isLastSent.settle(true) }
                })
            await clock.untilSleeping(atLeast: calls.count)
        }
        network.set(.online)
        try await calls[0].value
        #expect(await result(beforeSleepers: 2, within: .seconds(1)) { try? await isLastSent.wait() } == nil)
        clock.advance(by: .milliseconds(50))
        try await calls[1].value
        clock.advance(by: .milliseconds(50))
        try await calls[2].value
        #expect(mock.requests.map(\.url.lastPathComponent) == ["a", "b", "c"])
    }

    @Test(arguments: [
        ("localhost", true), ("api.localhost", true), ("127.9.9.9", true), ("[::1]", true),
        ("127.example.com", false), ("127.0.0.1.example.com", false), ("notlocalhost", false),
    ])
    func `loopback addresses need no network, and names that look like one do`(host: String, isSent: Bool) async {
        let mock = MockTransport(.status(200))
        let error = await provider(mock, policy(.failFast, isGate: true)).failure(.at("http://\(host)/"))
        #expect(error?.kind == (isSent ? nil : .offline))
    }
    @Test func `the gate lets a call pass that only reads the cache`() async throws {
        let mock = MockTransport(.status(200))
        let client = HTTPClient(mock, [policy(.failFast, isGate: true)])
        var endpoint = Endpoint.get("/things")
        endpoint.cachePolicy = .cacheOnly
        try await client.send(endpoint)
        #expect(mock.requests.count == 1)
    }
}
