import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct ExchangeTimeoutTests {
    private let clock = TestClock()

    private func timeout(deadline: Duration? = nil) -> ExchangeTimeout {
        let timebase = Timebase.reading(clock)
        return ExchangeTimeout(
            timeout: .seconds(10), deadline: deadline.map { Deadline(in: $0, on: timebase) },
            timers: TimerQueue(timebase: timebase))
    }

    @Test func `while the head may be held back, silence does not end a stream`() {
        let timeout = timeout()
        timeout.start()
        timeout.hold()
        // Bytes sent in the meantime don't start a timeout.
        timeout.restart()
        clock.advance(by: .seconds(60))
        #expect(!timeout.isExpired && timeout.hasStarted)
    }

    @Test func `a head that was held back starts the timeout`() async throws {
        let (timeout, expired) = (timeout(), OneShot<Void>())
        timeout.start()
        timeout.hold()
        clock.advance(by: .seconds(60))
        timeout.start()
        TransportContext().limited(by: timeout).onInterruption { expired.settle(()) }
        clock.advance(by: .seconds(10))
        try await expired.wait()
        #expect(timeout.error(during: .body)?.kind == .timeout)
    }

    @Test func `a head that is held back has to arrive before the deadline`() async throws {
        let (timeout, expired) = (timeout(deadline: .seconds(30)), OneShot<Void>())
        timeout.start()
        timeout.hold()
        TransportContext().limited(by: timeout).onInterruption { expired.settle(()) }
        clock.advance(by: .seconds(30))
        try await expired.wait()
        #expect(timeout.finish() == .deadline(isQueued: false))
    }
}
