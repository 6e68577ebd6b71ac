import Dispatch
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// The request that mocks return.
@Suite(.timeLimit(.minutes(5))) struct MockNetworkRequestTests {
    /// Collects its values until the request releases it.
    private final class Callback: Sendable {
        private let values: AsyncStream<String>.Continuation
        init(_ values: AsyncStream<String>.Continuation) { self.values = values }
        deinit { values.finish() }
        func call(_ value: String) { values.yield(value) }
    }

    /// The values of the callbacks during a request's lifetime.
    private func values(of start: (Callback) async -> Void) async -> [String] {
        let (values, source) = AsyncStream.makeStream(of: String.self)
        await start(Callback(source))
        return await values.reduce(into: []) { $0.append($1) }
    }

    private func made() async -> String { "made" }

    /// An outcome that exists only after a cancellation.
    private func stopped() async -> String {
        let (silence, source) = AsyncStream.makeStream(of: Never.self)
        for await _ in silence {}
        withExtendedLifetime(source) {}
        return "stopped"
    }

    @Test func `a request without work remembers that it was canceled`() {
        let request = MockNetworkRequest()
        #expect(!request.isCancelled)
        request.cancel()
        request.cancel()
        #expect(request.isCancelled)
    }

    @Test func `an outcome is delivered once, also if the request is released`() async {
        #expect(await values { _ = MockNetworkRequest(outcome: made, callback: $0.call) } == ["made"])
    }

    @Test(arguments: [nil, "canceled"])
    func `canceling stops the work, and the callback runs once`(cancelled: String?) async {
        let values = await values { callback in
            let request = MockNetworkRequest(outcome: stopped, cancelled: cancelled, callback: callback.call)
            request.cancel()
            request.cancel()
            #expect(request.isCancelled)
        }
        #expect(values == [cancelled ?? "stopped"])
    }

    @Test @MainActor func `after canceling on the main actor the callback gets the value of a canceled request`() async
    {
        /// Blocks the main actor until there is an outcome, and cancels before the callback can run.
        func start(_ callback: Callback) {
            let isMade = DispatchSemaphore(value: 0)
            let request = MockNetworkRequest(
                outcome: {
                    isMade.signal()
                    return "made"
                }, cancelled: "canceled", onMain: { callback.call($0) })
            isMade.wait()
            request.cancel()
        }
        #expect(await values { start($0) } == ["canceled"])
    }

    @Test func `canceling after the callback changes nothing`() async {
        let request = Locked<MockNetworkRequest?>(nil)
        await withCheckedContinuation { continuation in
            let made = MockNetworkRequest(outcome: {}, callback: { continuation.resume() })
            request.withLock { $0 = made }
        }
        let ended = request.withLock { $0 }
        ended?.cancel()
        #expect(ended?.isCancelled == false)
    }

    @Test func `a request calls back once, with its outcome or the value of a canceled one`() async throws {
        try await rounds(1_000) { _ in
            let isCancelled = Locked(false)
            let values = await values { callback in
                let request = MockNetworkRequest(outcome: made, cancelled: "canceled", callback: callback.call)
                await Task.detached { request.cancel() }.value
                isCancelled.withLock { $0 = request.isCancelled }
            }
            #expect(values == [isCancelled.withLock { $0 } ? "canceled" : "made"])
        }
    }
}
