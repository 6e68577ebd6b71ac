import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

/// Activity reports that libcurl itself doesn't provide.
@Suite(.timeLimit(.minutes(5)), .needsCurl) struct CurlActivityTests {
    /// Opens a barrier for each report, once it is enabled.
    private struct Opener: Sendable {
        let state: Locked<(barriers: [LoopbackBarrier], isReady: Bool)>

        init(_ barriers: [LoopbackBarrier], isReady: Bool) { state = Locked((barriers, isReady)) }

        func ready() { state.withLock { $0.isReady = true } }

        func bytesMoved() {
            let next = state.withLock { state in
                state.isReady && !state.barriers.isEmpty ? state.barriers.removeFirst() : nil
            }
            next?.open()
        }

        /// A context for an exchange that reports here.
        func context(progress: (@Sendable (TransferProgress) -> Void)? = nil) -> TransportContext {
            let timers = TimerQueue(timebase: .reading(TestClock()))
            return TransportContext(progress: progress)
                .limited(by: ExchangeTimeout(timeout: .seconds(10), timers: timers, onRestart: bytesMoved))
        }
    }

    @Test func `each byte of a head is activity`() async throws {
        // The first report is for the connection.
        let offsets = [0, 3, 6, 9, 12, 20, 30]
        let barriers = offsets.map { _ in LoopbackBarrier() }
        let server = try LoopbackServer { _ in
            zip(offsets, barriers).reduce(LoopbackResponse.text("ok")) {
                $0.held(by: $1.1, at: .responseHead(afterBytes: $1.0))
            }
        }
        try await withTransport { transport in
            let context = Opener(barriers, isReady: true).context()
            let response = try await transport.send(server.request(), context: context)
            #expect(response.text == "ok")
        }
    }

    @Test func `bytes that the system sends from its buffer are activity`() async throws {
        let size = 256 << 10
        let barriers = (1..<8).map { _ in LoopbackBarrier() }
        var configuration = LoopbackConfiguration()
        configuration.receiveBufferSize = 16 << 10
        let server = try LoopbackServer(configuration) { _ in
            barriers.enumerated().reduce(LoopbackResponse.text("ok")) {
                $0.held(by: $1.element, at: .requestBody(afterBytes: ($1.offset + 1) * (32 << 10)))
            }
        }
        let opener = Opener(barriers, isReady: false)
        let progress: @Sendable (TransferProgress) -> Void = { progress in
            if progress.direction == .sending, progress.completed == progress.total { opener.ready() }
        }
        try await withTransport { transport in
            let context = opener.context(progress: progress)
            let request = server.request(method: .post, body: .data(Data(count: size)))
            let response = try await transport.send(request, context: context)
            #expect(response.text == "ok")
        }
    }

    @Test func `bytes that are seen at once are not reported a second time`() async throws {
        let barrier = LoopbackBarrier()
        let server = try LoopbackServer { request in
            request.path == "/" ? .text("ok") : .text("ab").held(by: barrier, at: .responseBody(afterBytes: 1))
        }
        let seen = OneShot<Void>()
        let counts = Locked((reports: 0, reportsAtByte: 0))
        let timeout = ExchangeTimeout(timeout: .seconds(10), timers: TimerQueue(timebase: .reading(TestClock()))) {
            counts.withLock { $0.reports += 1 }
        }
        let progress: @Sendable (TransferProgress) -> Void = { progress in
            guard progress.completed == 1 else { return }
            counts.withLock { $0.reportsAtByte = $0.reports }
            seen.settle(())
        }
        try await withTransport { transport in
            let context = TransportContext(progress: progress).limited(by: timeout)
            let call = Task { try await transport.send(server.request("/held"), context: context) }
            try await seen.wait()
            // The response to another request shows that the loop has finished the step with the byte.
            _ = try await transport.send(server.request("/"), context: TransportContext())
            let (reports, reportsAtByte) = counts.withLock { ($0.reports, $0.reportsAtByte) }
            #expect(reportsAtByte > 0 && reports == reportsAtByte)
            barrier.open()
            #expect(try await call.value.text == "ab")
        }
    }
}
