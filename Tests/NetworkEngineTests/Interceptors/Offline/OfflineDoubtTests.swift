import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Failures that occur before the monitor has noticed the loss of the network.
@Suite(.timeLimit(.minutes(5))) struct OfflineDoubtTests {
    private let clock = TestClock()
    private let waiting = OfflineMode.waitForConnection(max: .seconds(5))

    private func provider(
        _ mock: MockTransport, _ mode: OfflineMode, _ reachability: Reachability, isGate: Bool = false
    ) -> NetworkProvider<API> {
        let policy = OfflinePolicy(mode, reachability: reachability, isGate: isGate, clock: clock, random: { 0 })
        return NetworkProvider(mock, [policy, RetryPolicy(backoff: .constant(.zero))])
    }

    private func until(_ reachability: Reachability, is status: ReachabilityStatus) async {
        while reachability.current != status { await Task.yield() }
    }

    @Test(arguments: [OfflineMode.waitForConnection(max: .seconds(5)), .queueAndReplay(limit: 1, expiry: .seconds(5))])
    func `the first request of a process waits although the monitor has reported nothing yet`(
        mode: OfflineMode
    ) async throws {
        let network = LateNetwork()
        let reachability = Reachability(network, debounce: .zero)
        let mock = MockTransport(.failure(.offline), .status(200))
        let call = Task { try await provider(mock, mode, reachability).send(.plain) }
        await clock.untilSleeping(atLeast: 2)
        network.report(.offline)
        await until(reachability, is: .offline)
        clock.advance(by: .seconds(2))
        #expect(mock.requests.count == 1)
        network.report(.online)
        _ = try await call.value
        #expect(mock.requests.count == 2)
    }

    @Test func `a monitor that always reports a network neither repeats a request at once nor makes it wait for long`()
        async
    {
        let reachability = Reachability(ScriptedReachability(.online), debounce: .zero)
        let mock = MockTransport(MockAnswer.failure(.offline).repeating())
        let call = Task { await provider(mock, waiting, reachability).failure(.plain) }
        #expect(await clock.advanceToNextSleeper() == .seconds(1))
        while mock.requests.count < 2 { await Task.yield() }
        #expect(await clock.advanceToNextSleeper(within: .seconds(1)) == .seconds(1))
        #expect(await call.value?.kind == .offline)
        #expect(mock.requests.count == 3)
    }

    @Test func `a wait that is shorter than the delay of the monitor has its length`() async {
        let reachability = Reachability(ScriptedReachability(.online), debounce: .zero)
        let mock = MockTransport(.failure(.offline), .status(200))
        let call = Task {
            await provider(mock, .waitForConnection(max: .milliseconds(300)), reachability).failure(.plain)
        }
        #expect(await clock.advanceToNextSleeper() == .milliseconds(300))
        #expect(await call.value == nil)
    }

    @Test func `a host that is not reached while the monitor doubts its network waits for the next one`() async throws {
        let network = ScriptedReachability(.online)
        let reachability = Reachability(network, debounce: .seconds(1), clock: clock)
        await until(reachability, is: .online)
        network.set(.offline)
        while reachability.latest != .offline {
            network.set(.offline)
            await Task.yield()
        }
        let mock = MockTransport(.failure(.connect), .status(200))
        let call = Task { try await provider(mock, waiting, reachability).send(.plain) }
        await clock.untilSleeping(atLeast: 3)
        clock.advance(by: .seconds(1))
        await until(reachability, is: .offline)
        clock.advance(by: .seconds(1))
        #expect(mock.requests.count == 1)
        network.set(.online)
        await clock.untilSleeping(atLeast: 1, within: .seconds(1))
        clock.advance(by: .seconds(1))
        _ = try await call.value
    }

    @Test func `failing fast makes one attempt although the monitor still reports a network`() async {
        let mock = MockTransport(MockAnswer.failure(.offline).repeating())
        let reachability = Reachability(ScriptedReachability(.online), debounce: .zero)
        #expect(await provider(mock, .failFast, reachability).failure(.plain)?.kind == .offline)
        #expect(mock.requests.count == 1)
    }

    @Test func `the gate waits for the first report of the monitor`() async {
        let network = LateNetwork()
        let mock = MockTransport(MockAnswer.status(200).repeating())
        let provider = provider(mock, .failFast, Reachability(network, debounce: .zero), isGate: true)
        let call = Task { await provider.failure(.plain) }
        network.report(.offline)
        #expect(await call.value?.kind == .offline)
        #expect(mock.requests.isEmpty)
    }
}
