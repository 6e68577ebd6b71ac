import Foundation
import NetworkEngine
import NetworkEngineCurl
import NetworkEngineTesting
import TestSupport
import Testing

/// What an exchange reports of bytes that libcurl does not tell of.
@Suite(.timeLimit(.minutes(1)), .needsCurl) struct CurlActivityTests {
    /// Opens a barrier for each report, as soon as it is told to.
    private struct Hand: ExchangeHand {
        let state: Locked<(barriers: [LoopbackBarrier], isReady: Bool)>

        init(_ barriers: [LoopbackBarrier], isReady: Bool) { state = Locked((barriers, isReady)) }

        func ready() { state.withLock { $0.isReady = true } }

        func bytesMoved() {
            let next = state.withLock { state in
                state.isReady && !state.barriers.isEmpty ? state.barriers.removeFirst() : nil
            }
            next?.open()
        }

        func startTime() {}
        func onInterruption(_ action: @escaping @Sendable () -> Void) {}
    }

    @Test func `each byte of a head counts`() async throws {
        // The first report is of the connection.
        let offsets = [0, 3, 6, 9, 12, 20, 30]
        let barriers = offsets.map { _ in LoopbackBarrier() }
        let server = try LoopbackServer { _ in
            zip(offsets, barriers).reduce(LoopbackResponse.text("ok")) {
                $0.held(by: $1.1, at: .responseHead(afterBytes: $1.0))
            }
        }
        try await withTransport { transport in
            let context = TransportContext().held(by: Hand(barriers, isReady: true), until: nil)
            let response = try await transport.send(server.request(), context: context)
            #expect(response.text == "ok")
        }
    }

    @Test func `bytes count that the system sends after it has taken all of them`() async throws {
        let size = 256 << 10
        let barriers = (1..<8).map { _ in LoopbackBarrier() }
        var configuration = LoopbackConfiguration()
        configuration.receiveBufferSize = 16 << 10
        let server = try LoopbackServer(configuration) { _ in
            barriers.enumerated().reduce(LoopbackResponse.text("ok")) {
                $0.held(by: $1.element, at: .requestBody(afterBytes: ($1.offset + 1) * (32 << 10)))
            }
        }
        let hand = Hand(barriers, isReady: false)
        let progress: @Sendable (TransferProgress) -> Void = { progress in
            if progress.direction == .sending, progress.completed == progress.total { hand.ready() }
        }
        try await withTransport { transport in
            let context = TransportContext(progress: progress).held(by: hand, until: nil)
            let request = server.request(method: .post, body: .data(Data(count: size)))
            let response = try await transport.send(request, context: context)
            #expect(response.text == "ok")
        }
    }
}
