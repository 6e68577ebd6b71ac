import Dispatch
import Foundation
import NetworkEngine
import NetworkEngineTesting
import TestSupport
import Testing

/// The deadline of a call holds for its decoding too.
///
/// One test at a time, since each holds a thread for a while.
@Suite(.timeLimit(.minutes(5)), .serialized) struct DecodingDeadlineTests {
    private let clock = TestClock()
    private let entered = OneShot<Void>()
    private let released = DispatchSemaphore(value: 0)

    /// A decoding that takes as long as the test likes.
    private var slow: ResponseDecoding<Int> {
        .custom { [entered, released] data, _ in
            entered.settle(())
            released.wait()
            return data.count
        }
    }

    private struct Waiting: RequestInterceptor {}

    private func provider(_ interceptors: [any RequestInterceptor] = []) -> NetworkProvider<API> {
        NetworkProvider(MockTransport(MockAnswer.json("{}").repeating()), interceptors) { [clock] in
            $0.clock = clock
            $0.deadline = .seconds(3)
        }
    }

    @Test(arguments: [false, true]) func `the deadline ends an awaited call whose body is being decoded`(
        mayWait: Bool
    )
        async throws
    {
        let call = Task { [slow] in try await provider(mayWait ? [Waiting()] : []).request(.plain, decoding: slow) }
        try await entered.wait()
        clock.advance(by: .seconds(3))
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.transportFailure == .timeout(.deadline))
        #expect(error?.request != nil)
        released.signal()
    }

    @Test func `the deadline ends a call with a handle whose body is being decoded`() async throws {
        struct Slow: Decodable, Sendable {
            @TaskLocal static var decoding: ResponseDecoding<Int>?
            init(from decoder: any Decoder) throws {
                _ = try Self.decoding?.value(of: .sample("{}"), standard: BodyDecoder(JSONDecoder()))
            }
        }
        let handle = Slow.$decoding.withValue(slow) { provider().start(.plain, as: Slow.self) }
        try await entered.wait()
        clock.advance(by: .seconds(3))
        let error = await #expect(throws: NetworkError.self) { try await handle.value }
        #expect(error?.transportFailure == .timeout(.deadline))
        released.signal()
    }

    @Test func `canceling ends a call whose body is being decoded`() async throws {
        let call = Task { [slow] in try await provider().request(.plain, decoding: slow) }
        try await entered.wait()
        call.cancel()
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.kind == .cancelled)
        released.signal()
    }

    @Test func `a decoding in the caller's isolation that takes too long ends with the deadline's error`()
        async throws
    {
        final class Model: Decodable {
            @TaskLocal static var clock: TestClock?
            init(from decoder: any Decoder) { Self.clock?.advance(by: .seconds(4)) }
        }
        let error = await #expect(throws: NetworkError.self) {
            try await Model.$clock.withValue(clock) { try await provider().request(.plain, as: Model.self) }
        }
        #expect(error?.transportFailure == .timeout(.deadline))
    }

    @Test func `a decoding in time returns its value and leaves no timer`() async throws {
        #expect(try await provider().request(.plain, decoding: .custom { data, _ in data.count }) == 2)
        #expect(clock.pendingSleepers.isEmpty)
    }
}
