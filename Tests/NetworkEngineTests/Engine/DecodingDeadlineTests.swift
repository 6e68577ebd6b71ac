import Dispatch
import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// A call's deadline also applies to its decoding.
///
/// One test at a time, because each blocks a thread for a while.
@Suite(.timeLimit(.minutes(5)), .serialized) struct DecodingDeadlineTests {
    private let clock = TestClock()
    private let entered = OneShot<Void>()
    private let released = DispatchSemaphore(value: 0)

    /// A decoding that takes as long as the test requires.
    private var slow: ResponseDecoding<Int> {
        .custom { [entered, released] data, _ in
            entered.settle(())
            released.wait()
            return data.count
        }
    }

    private struct Waiting: RequestInterceptor {}

    /// A body that is decoded in a separate task.
    private static let large = "[\(String(repeating: " ", count: 64 << 10))]"
    /// The largest body that is decoded in the call's task.
    private static let small = "[\(String(repeating: " ", count: (64 << 10) - 2))]"

    private func provider(
        _ interceptors: [any RequestInterceptor] = [],
        body: String = "{}"
    ) -> NetworkProvider<API> {
        NetworkProvider(MockTransport(MockAnswer.json(body).repeating()), interceptors) { [clock] in
            $0.clock = clock
            $0.deadline = .seconds(3)
        }
    }

    @Test(arguments: [false, true]) func `the deadline ends an awaited call whose large body is being decoded`(
        mayWait: Bool
    ) async throws {
        try await expectDeadline(mayWait ? [Waiting()] : [], body: Self.large)
    }

    @Test func `the deadline ends an awaited call of an interceptor that waits, whatever its body`() async throws {
        try await expectDeadline([Waiting()], body: "{}")
    }

    private func expectDeadline(_ interceptors: [any RequestInterceptor], body: String) async throws {
        let call = Task { [slow] in
            try await provider(interceptors, body: body).request(.plain, decoding: slow)
        }
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

    @Test func `canceling ends a call whose large body is being decoded`() async throws {
        let call = Task { [slow] in try await provider(body: Self.large).request(.plain, decoding: slow) }
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

    @Test(arguments: [2, 64 << 10, (64 << 10) + 2])
    func `a decoding in time returns its value and leaves no timer`(length: Int) async throws {
        let body = "[\(String(repeating: " ", count: length - 2))]"
        let value = try await provider(body: body).request(.plain, decoding: .custom { data, _ in data.count })
        #expect(value == length)
        #expect(clock.pendingSleepers.isEmpty)
    }

    /// Records the task that adapts the request.
    private struct TaskNote: RequestInterceptor {
        let task = Locked<Int?>(nil)

        var mayWait: Bool { false }

        static var current: Int? { withUnsafeCurrentTask { $0?.hashValue } }

        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            task.withLock { $0 = Self.current }
            return request
        }
    }

    @Test(arguments: [(small, true), (large, false)])
    func `a body of 64 KiB is decoded in the task of its call, and a larger one is not`(
        body: String, isInPlace: Bool
    ) async throws {
        let note = TaskNote()
        let decoding = try await provider([note], body: body).request(
            .plain, decoding: .custom { _, _ in TaskNote.current })
        #expect(decoding != nil)
        #expect((decoding == note.task.withLock { $0 }) == isInPlace)
    }

    @Test func `a small body whose decoding takes too long ends the call with the deadline's error`() async throws {
        let error = await #expect(throws: NetworkError.self) {
            try await provider(body: Self.small).request(
                .plain,
                decoding: .custom { [clock] data, _ in
                    clock.advance(by: .seconds(4))
                    return data.count
                })
        }
        #expect(error?.transportFailure == .timeout(.deadline))
        #expect(error?.request != nil)
        #expect(clock.pendingSleepers.isEmpty)
    }

    @Test func `a small body that is decoded when its call is canceled does not return its value`() async throws {
        let call = Task { [slow] in try await provider().request(.plain, decoding: slow) }
        try await entered.wait()
        call.cancel()
        released.signal()
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.kind == .cancelled)
    }
}
