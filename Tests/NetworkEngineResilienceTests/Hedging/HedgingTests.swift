import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct HedgingTests {
    private let clock = TestClock()

    private func provider(_ mock: MockTransport, extraLoad: Double = 1) -> NetworkProvider<API> {
        NetworkProvider(mock, [Hedging(after: .seconds(1), extraLoad: extraLoad, clock: clock)])
    }

    @Test func `a response in time starts no second request`() async throws {
        let mock = MockTransport(.status(200))
        _ = try await provider(mock).send(.plain)
        #expect(mock.requests.count == 1)
        #expect(clock.pendingSleepers.isEmpty)
    }

    @Test func `after the delay a second request starts, and the first response wins`() async throws {
        let mock = MockTransport(.hang, .status(204))
        async let response = provider(mock).send(.plain)
        await clock.advanceToNextSleeper()
        #expect(try await response.statusCode == 204)
        #expect(mock.requests.count == 2)
    }

    @Test(arguments: [MockAnswer.status(503), .status(429), .failure(.lostBeforeResponse)])
    func `a failure starts the second request at once`(answer: MockAnswer) async throws {
        let mock = MockTransport(answer, .status(200))
        _ = try await provider(mock).send(.plain)
        #expect(mock.requests.count == 2)
    }

    @Test(arguments: [
        (HTTPMethod.delete, [404, 204], 204), (.put, [409, 412], 412), (.delete, [404, 503], 503),
        (.get, [404, 204], 404),
    ])
    func `an answer that the other request can have caused decides nothing while that one runs`(
        method: HTTPMethod, statuses: [Int], result: Int
    ) async throws {
        let mock = MockTransport()
        let (count, second) = (Locked(0), OneShot<Void>())
        mock.on().answers(
            MockAnswer.handler { _ in
                let isFirst = count.withLock { count in
                    defer { count += 1 }
                    return count == 0
                }
                guard isFirst else { return .status(statuses[0]) }
                try await second.wait()
                // The second request's response arrives first.
                for _ in 0..<100 { await Task.yield() }
                return .status(statuses[1])
            }.repeating())
        let hedging = Hedging(after: .seconds(1), extraLoad: 1, clock: clock)
        let provider = NetworkProvider<TestTarget>(mock, [hedging, Arrival(status: statuses[0], arrived: second)])
        async let response = provider.send(TestTarget(method: method, validation: .anyResponse))
        await clock.advanceToNextSleeper()
        #expect(try await response.statusCode == result)
        #expect(mock.requests.count == 2)
    }

    @Test(arguments: [TransportFailure.tlsCertificate(.untrusted), .protocolViolation, .limitExceeded])
    func `a failure that a second request would repeat starts none`(failure: TransportFailure) async {
        let mock = MockTransport(.failure(failure), .status(200))
        #expect(await provider(mock).failure(.plain)?.transportFailure == failure)
        #expect(mock.requests.count == 1)
    }

    @Test func `the delay can be a percentile of recent responses`() async throws {
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

    @Test func `when both requests fail, the first one's error is thrown`() async {
        let mock = MockTransport(.status(503), .status(500), .status(200))
        #expect(await provider(mock).failure(.plain)?.statusCode == 503)
        #expect(mock.requests.count == 2)
    }

    @Test func `a request that is not idempotent is sent once`() async {
        let mock = MockTransport(.status(503), .status(200))
        #expect(await provider(mock).failure(.post)?.statusCode == 503)
        #expect(mock.requests.count == 1)
    }

    @Test func `a request with an idempotency key is hedged, and both have the same key`() async throws {
        let mock = MockTransport(.status(503), .status(200))
        let hedging = Hedging(after: .seconds(1), extraLoad: 1, clock: clock)
        _ = try await NetworkProvider<API>(mock, [IdempotencyKey(), hedging]).send(.post)
        #expect(Set(mock.requests.map { $0.headers["Idempotency-Key"] }).count == 1)
        #expect(mock.requests.count == 2)
    }

    @Test func `no more requests than the budget allows are hedged`() async {
        let mock = MockTransport(MockAnswer.status(503).repeating())
        let provider = provider(mock, extraLoad: 0.1)
        for _ in 0..<100 { _ = await provider.failure(.plain) }
        #expect(mock.requests.count == 110)
    }

    @Test func `cancellation ends both requests`() async {
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

    @Test func `too few responses give no percentile`() {
        #expect(window(1...19).time(ofPart: 0.95) == nil)
        #expect(window(1...20).time(ofPart: 0.95) == .milliseconds(20))
    }

    @Test(arguments: [(0.0, 1), (0.5, 51), (0.95, 96), (1.0, 100), (7.0, 100), (-1.0, 1)])
    func `a percentile is the time within which that part of the responses arrived`(part: Double, milliseconds: Int) {
        #expect(window((1...100).reversed()).time(ofPart: part) == .milliseconds(milliseconds))
    }

    @Test func `old responses do not count`() {
        #expect(
            window(Array(repeating: 900, count: 500) + Array(repeating: 1, count: 128)).time(ofPart: 1)
                == .milliseconds(1))
    }

    @Test func `a percentile that is not a number gives no delay`() {
        #expect(window(1...100).time(ofPart: .nan) == nil)
    }
}

/// Signals that a response with a status is about to be returned.
private struct Arrival: RequestInterceptor {
    let status: Int
    let arrived: OneShot<Void>

    func intercept(_ request: HTTPRequest, context: RequestContext, next: @escaping Next) async throws -> HTTPResponse {
        let response = try await next(request)
        if response.statusCode == status { arrived.settle(()) }
        return response
    }
}
