import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)))
struct MockTimeTests {
    let clock = TestClock()

    @Test func `a delayed answer arrives when the clock reaches its time`() async throws {
        let mock = MockTransport(.status(200).delayed(by: .seconds(30)), clock: clock)
        let call = Task { try await mock.ask().statusCode }
        #expect(await clock.advanceToNextSleeper() == .seconds(30))
        #expect(try await call.value == 200)
    }

    @Test func `a failure and a handler's answer can be delayed`() async throws {
        let slow = MockAnswer.handler { _ in .failure(.lostBeforeResponse).delayed(by: .seconds(2)) }
        let mock = MockTransport(slow.delayed(by: .seconds(1)), clock: clock)
        let call = Task { try await mock.ask() }
        for seconds in [1, 2] { #expect(await clock.advanceToNextSleeper() == .seconds(seconds)) }
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.kind == .connection)
    }

    @Test func `a canceled request stops waiting`() async throws {
        let mock = MockTransport(.status(200).delayed(by: .seconds(30)), clock: clock)
        let call = Task { try await mock.ask() }
        await clock.untilSleeping()
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        try clock.checkIsIdle()
    }

    @Test func `a hanging answer ends with its task in every order of events`() async throws {
        let mock = MockTransport(.hang.repeating())
        try await rounds(500) { _ in
            let call = Task { try await mock.ask() }
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
        }
    }

    @Test func `a request that is canceled before it is sent uses no answer`() async throws {
        let mock = MockTransport(.status(200))
        let call = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await mock.ask()
        }
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(mock.requests.isEmpty && mock.unusedRules.count == 1)
    }

    @Test func `the timeout of an attempt starts when the mock gets the request`() async throws {
        let control = ExchangeTimeout(timeout: .seconds(5), timers: TimerQueue(timebase: .reading(clock)))
        let context = TransportContext().limited(by: control)
        let call = Task { try await MockTransport(.hang).ask(context: context) }
        #expect(await clock.advanceToNextSleeper() == .seconds(5))
        call.cancel()
        _ = await call.result
    }
}
