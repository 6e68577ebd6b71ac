import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct TimeSpentTests {
    private let clock = TestClock()

    private func deadline() -> Deadline { Deadline(ofCallIn: .seconds(60), on: .reading(clock)) }

    @Test func `the parts add up to the time of the call`() {
        let deadline = deadline()
        let steps: [(TimeLedger.Part?, TimeLedger.Part?)] = [
            (nil, .queue), (.queue, .permit), (.permit, .connect), (.connect, .server), (.server, nil),
        ]
        for (number, step) in steps.enumerated() {
            clock.advance(by: .seconds(number + 1))
            deadline.move(from: step.0, to: step.1)
        }
        clock.advance(by: .seconds(6))
        let spent = TimeSpent(
            queue: .seconds(2), permit: .seconds(3), connect: .seconds(4), server: .seconds(5), other: .seconds(7))
        #expect(deadline.timeSpent == spent)
        #expect(spent.description.hasPrefix("queue 2.0 seconds, permit 3.0 seconds"))
    }

    @Test func `of two exchanges the one that has come further counts`() {
        let deadline = deadline()
        deadline.move(from: nil, to: .server)
        deadline.move(from: nil, to: .queue)
        clock.advance(by: .seconds(1))
        #expect(!deadline.isInQueue)
        deadline.move(from: .server, to: nil)
        clock.advance(by: .seconds(2))
        #expect(deadline.isInQueue)
        #expect(deadline.timeSpent == TimeSpent(queue: .seconds(2), server: .seconds(1)))
    }

    @Test func `an exchange connects until its request can be sent`() {
        let call = deadline()
        let timers = TimerQueue(timebase: call.timebase)
        let timeout = ExchangeTimeout(timeout: nil, of: call, timers: timers)
        let exchange = Exchange(
            HTTPRequest(url: API.base), context: TransportContext().limited(by: timeout), upload: nil, backlogInFile: 0)
        clock.advance(by: .seconds(1))
        _ = exchange.admit()
        clock.advance(by: .seconds(2))
        _ = exchange.send()
        clock.advance(by: .seconds(3))
        timeout.finish()
        // Activity after an exchange's end doesn't count.
        _ = exchange.send()
        clock.advance(by: .seconds(4))
        #expect(
            call.timeSpent
                == TimeSpent(
                    permit: .seconds(1), connect: .seconds(2), server: .seconds(3), other: .seconds(4)))
    }

    /// Waits in a queue until a gate opens, and then holds the exchange.
    private struct Queued: TransportDriver {
        let gate = OneShot<Void>()
        let isAdmitted = OneShot<Void>()
        var identity: ObjectIdentifier? { nil }

        func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
            context.queued()
            let stopped = OneShot<Void>()
            context.onInterruption {
                gate.settle(())
                stopped.settle(())
            }
            try await gate.wait()
            if stopped.value == nil { context.admitted() }
            isAdmitted.settle(())
            try await stopped.wait()
            throw CancellationError()
        }
    }

    /// A hook that may suspend, so that the call has its own task and timer.
    private struct Waiting: RequestInterceptor {
        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest { request }
    }

    /// Gives up when the deadline has passed.
    private struct GivingUp: RequestInterceptor {
        let clock: TestClock
        var mayWait: Bool { false }

        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            clock.advance(by: .seconds(6))
            throw NetworkError(kind: .timeout, transportFailure: .timeout(.deadline))
        }
    }

    @Test func `an interceptor's error of a deadline gets the time, too`() async {
        let provider = NetworkProvider<API>(MockTransport(), [GivingUp(clock: clock)]) {
            $0.clock = clock
            $0.deadline = .seconds(6)
        }
        let error = await provider.failure(.plain)
        #expect(error?.figures.timeSpent == TimeSpent(other: .seconds(6)))
    }

    @Test(arguments: [1, 4, 6], [true, false])
    func `the error of a deadline tells where the time went`(secondsInQueue: Int, hasTask: Bool) async throws {
        let transport = Queued()
        let provider = NetworkProvider<API>(transport, hasTask ? [Waiting()] : []) {
            $0.clock = clock
            $0.deadline = .seconds(6)
        }
        let call = Task { await provider.failure(.plain) }
        await clock.untilSleeping()
        clock.advance(by: .seconds(secondsInQueue))
        if secondsInQueue < 6 {
            transport.gate.settle(())
            try await transport.isAdmitted.wait()
            clock.advance(by: .seconds(6 - secondsInQueue))
        }
        let error = await call.value
        #expect(error?.transportFailure == .timeout(.deadline))
        let inTime = Duration.seconds(6 - secondsInQueue)
        #expect(error?.figures.timeSpent == TimeSpent(permit: .seconds(secondsInQueue), server: inTime))
        let place = secondsInQueue > 3 ? "the queue of the transport" : "waiting for the server"
        #expect(error?.reason == "the call's deadline has passed, and most of its time went into \(place)")
        #expect(error?.isTimeoutInQueue == (secondsInQueue == 6))
        let sentence =
            secondsInQueue > 3
            ? "The request took too long. Please try again." : "The server took too long to respond."
        #expect(error?.localizedDescription == sentence)
        #expect(error?.description.contains("permit \(secondsInQueue).0 seconds") == true)
    }
}
