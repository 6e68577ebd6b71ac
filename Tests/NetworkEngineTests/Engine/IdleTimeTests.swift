import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// What a third-party transport must report so that the timeout limits only the time without activity.
@Suite(.timeLimit(.minutes(5))) struct IdleTimeTests {
    private let clock = TestClock()

    /// Takes nine seconds four times.
    private struct Slow: Transport {
        let clock: TestClock
        var reports = true
        var admits = true

        func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
            if admits { context.admitted() }
            let work = Task {
                for _ in 0..<4 {
                    try await clock.sleep(for: .seconds(9))
                    if reports { context.reportActivity() }
                }
                return HTTPResponse(statusCode: 200, request: request)
            }
            context.onInterruption { work.cancel() }
            return try await withTaskCancellationHandler {
                try await work.value
            } onCancel: {
                work.cancel()
            }
        }
    }

    private func call(_ transport: Slow) -> Task<HTTPResponse, any Error> {
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.clock, configuration.timeout) = (transport, clock, .seconds(10))
        let provider = NetworkProvider<API>(configuration: configuration)
        return Task { try await provider.send(.plain) }
    }

    @Test(arguments: [false, true])
    func `an exchange with reported activity may take longer than the timeout`(admits: Bool)
        async throws
    {
        let call = call(Slow(clock: clock, admits: admits))
        for _ in 0..<4 {
            await clock.untilSleeping(atLeast: 2)  // the transport, and the timeout's timer
            clock.advance(by: .seconds(9))
        }
        let response = try await call.value
        #expect(response.statusCode == 200)
    }

    @Test(arguments: [false, true])
    func `an exchange without reported activity is limited by the timeout`(admits: Bool) async throws {
        let call = call(Slow(clock: clock, reports: false, admits: admits))
        await clock.untilSleeping(atLeast: 2)
        clock.advance(by: .seconds(10))
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.transportFailure == .timeout(.attempt))
    }
}
