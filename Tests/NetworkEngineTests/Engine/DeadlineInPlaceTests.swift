import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Calls with interceptors that never suspend, over a transport that stops on command: they don't have a separate task.
@Suite(.timeLimit(.minutes(5))) struct DeadlineInPlaceTests {
    private let clock = TestClock()

    /// Holds every exchange until it's stopped.
    private struct Held: TransportDriver {
        var admits = true
        let sent = Locked(0)

        var identity: ObjectIdentifier? { nil }

        func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
            sent.withLock { $0 += 1 }
            if admits { context.admitted() }
            let (stopped, stop) = AsyncStream<Void>.makeStream()
            context.onInterruption { stop.finish() }
            for await _ in stopped {}
            throw CancellationError()
        }
    }

    /// Never suspends. Advises when called.
    private struct Prompt: RequestInterceptor {
        var advice = RetryDecision.doNotRetry
        var onAdapt: @Sendable () -> Void = {}

        var mayWait: Bool { false }

        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            onAdapt()
            return request
        }

        func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision { advice }
    }

    private func call(_ transport: Held, _ prompt: Prompt = Prompt()) -> Task<HTTPResponse, any Error> {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        configuration.clock = clock
        configuration.timeout = .seconds(5)
        configuration.deadline = .seconds(12)
        configuration.attemptLimit = 9
        let provider = NetworkProvider<API>(interceptor: prompt, configuration: configuration)
        return Task { try await provider.send(.plain) }
    }

    private func failure(_ call: Task<HTTPResponse, any Error>) async -> NetworkError? {
        guard case .failure(let error) = await call.result else { return nil }
        return error as? NetworkError
    }

    @Test func `the deadline ends an exchange in a queue, where no timeout runs`() async {
        let call = call(Held(admits: false))
        await clock.untilSleeping()
        clock.advance(by: .seconds(12))
        let error = await failure(call)
        #expect(error?.transportFailure == .timeout(.deadline))
        #expect(error?.request != nil)
        #expect(clock.pendingSleepers.isEmpty)
    }

    @Test func `a running exchange ends at its timeout if that is earlier`() async {
        let call = call(Held())
        await clock.untilSleeping()
        clock.advance(by: .seconds(5))
        let error = await failure(call)
        #expect(error?.transportFailure == .timeout(.attempt))
        #expect(error?.attempts.count == 1)
    }

    @Test func `attempts that time out are repeated until the deadline ends one`() async {
        let transport = Held()
        let call = call(transport, Prompt(advice: .retry))
        for time in [Duration.seconds(5), .seconds(5), .seconds(2)] {
            await clock.untilSleeping(within: time)
            clock.advance(by: time)
        }
        let error = await failure(call)
        #expect(error?.transportFailure == .timeout(.deadline))
        #expect(error?.attempts.map(\.transportFailure) == [.timeout(.attempt), .timeout(.attempt)])
        #expect(transport.sent.withLock { $0 } == 3)
    }

    @Test func `nothing is sent after the deadline`() async {
        let transport = Held()
        let call = call(transport, Prompt(onAdapt: { [clock] in clock.advance(by: .seconds(13)) }))
        let error = await failure(call)
        #expect(error?.transportFailure == .timeout(.deadline))
        #expect(transport.sent.withLock { $0 } == 0)
    }

    @Test func `canceling the caller's task cancels the call`() async {
        let call = call(Held())
        await clock.untilSleeping()
        call.cancel()
        #expect(await failure(call)?.kind == .cancelled)
    }
}
