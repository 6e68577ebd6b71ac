import Foundation
import NetworkEngine
import NetworkEngineTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct HedgingTests {
    private let clock = TestClock()

    private func provider(_ mock: MockTransport, extraLoad: Double = 1) -> NetworkProvider<API> {
        NetworkProvider(mock, [Hedging(after: .seconds(1), extraLoad: extraLoad, clock: clock)])
    }

    @Test func `an answer in time needs no second request`() async throws {
        let mock = MockTransport(.status(200))
        _ = try await provider(mock).send(.plain)
        #expect(mock.requests.count == 1)
        #expect(clock.pendingSleepers.isEmpty)
    }

    @Test func `after the delay a second one goes out, and the first answer counts`() async throws {
        let mock = MockTransport(.hang, .status(204))
        async let response = provider(mock).send(.plain)
        await clock.advanceToNextSleeper()
        #expect(try await response.statusCode == 204)
        #expect(mock.requests.count == 2)
    }

    @Test(arguments: [MockAnswer.status(503), .status(429), .failure(.lostBeforeResponse)])
    func `a failure starts the second one at once`(answer: MockAnswer) async throws {
        let mock = MockTransport(answer, .status(200))
        _ = try await provider(mock).send(.plain)
        #expect(mock.requests.count == 2)
    }

    @Test(arguments: [TransportFailure.tlsCertificate(.untrusted), .protocolViolation, .limitExceeded])
    func `what a second one would only repeat is sent once`(failure: TransportFailure) async {
        let mock = MockTransport(.failure(failure), .status(200))
        #expect(await provider(mock).failure(.plain)?.transportFailure == failure)
        #expect(mock.requests.count == 1)
    }

    @Test func `the delay can be what a part of the answers of late took`() async throws {
        let mock = MockTransport()
        let answers = Locked(0)
        mock.on().answers(
            MockAnswer.handler { [clock] _ in
                let number = answers.withLock {
                    $0 += 1; return $0
                }
                try await clock.sleep(for: number == 21 ? .seconds(3600) : .milliseconds(100))
                return .status(200)
            }.repeating()
        )
        let hedging = Hedging(afterPart: 0.95, first: .seconds(1), extraLoad: 1, clock: clock)
        let provider = NetworkProvider<API>(mock, [hedging])
        for _ in 0..<20 {
            async let response = provider.send(.plain)
            await clock.untilSleeping(atLeast: 2)
            clock.advance(by: .milliseconds(100))
            _ = try await response
        }
        #expect(mock.requests.count == 20)
        async let response = provider.send(.plain)
        await clock.untilSleeping(atLeast: 2)
        clock.advance(by: .milliseconds(100))
        await clock.untilSleeping(atLeast: 2)
        clock.advance(by: .milliseconds(100))
        _ = try await response
        #expect(mock.requests.count == 22)
    }

    @Test func `when both fail, the first one's failure counts`() async {
        let mock = MockTransport(.status(503), .status(500), .status(200))
        #expect(await provider(mock).failure(.plain)?.statusCode == 503)
        #expect(mock.requests.count == 2)
    }

    @Test func `what must not happen twice is sent once`() async {
        let mock = MockTransport(.status(503), .status(200))
        #expect(await provider(mock).failure(.post)?.statusCode == 503)
        #expect(mock.requests.count == 1)
    }

    @Test func `with a key it may be, and both have the same`() async throws {
        let mock = MockTransport(.status(503), .status(200))
        let hedging = Hedging(after: .seconds(1), extraLoad: 1, clock: clock)
        _ = try await NetworkProvider<API>(mock, [IdempotencyKey(), hedging]).send(.post)
        #expect(Set(mock.requests.map { $0.headers["Idempotency-Key"] }).count == 1)
        #expect(mock.requests.count == 2)
    }

    @Test func `no more than the budget's part is sent twice`() async {
        let mock = MockTransport(MockAnswer.status(503).repeating())
        let provider = provider(mock, extraLoad: 0.1)
        for _ in 0..<100 { _ = await provider.failure(.plain) }
        #expect(mock.requests.count == 110)
    }

    @Test func `cancelled, both end`() async {
        let mock = MockTransport(.hang, .hang)
        let call = Task { await provider(mock).failure(.plain) }
        await clock.advanceToNextSleeper()
        while mock.requests.count < 2 { await Task.yield() }
        call.cancel()
        #expect(await call.value?.kind == .cancelled)
    }
}

@Suite(.timeLimit(.minutes(5))) struct LatencyWindowTests {
    private func window(_ milliseconds: some Sequence<Int>) -> LatencyWindow {
        milliseconds.reduce(into: LatencyWindow()) { $0.add(.milliseconds($1)) }
    }

    @Test func `it says nothing while it knows too little`() {
        #expect(window(1...19).time(ofPart: 0.95) == nil)
        #expect(window(1...20).time(ofPart: 0.95) == .milliseconds(20))
    }

    @Test(arguments: [(0.0, 1), (0.5, 51), (0.95, 96), (1.0, 100), (7.0, 100), (-1.0, 1)])
    func `the part of the answers that came within a time`(part: Double, milliseconds: Int) {
        #expect(window((1...100).reversed()).time(ofPart: part) == .milliseconds(milliseconds))
    }

    @Test func `what was long ago does not count`() {
        #expect(
            window(Array(repeating: 900, count: 500) + Array(repeating: 1, count: 128)).time(ofPart: 1)
                == .milliseconds(1))
    }

    @Test func `no number as a part says nothing`() {
        #expect(window(1...100).time(ofPart: .nan) == nil)
    }
}
