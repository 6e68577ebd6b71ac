import Dispatch
import NetworkEngine
import NetworkEngineTesting
import Testing

/// The request that mocks return.
@Suite(.timeLimit(.minutes(5))) struct MockNetworkRequestTests {
    /// Counts its calls until the request releases it.
    private final class Callback: Sendable {
        private let calls: AsyncStream<Void>.Continuation
        init(_ calls: AsyncStream<Void>.Continuation) { self.calls = calls }
        deinit { calls.finish() }
        func call() { calls.yield() }
    }

    /// The number of callbacks during a request's lifetime.
    private func calls(of start: (Callback) async -> Void) async -> Int {
        let (calls, source) = AsyncStream.makeStream(of: Void.self)
        await start(Callback(source))
        return await calls.reduce(0) { count, _ in count + 1 }
    }

    private func never() async {
        let (silence, source) = AsyncStream.makeStream(of: Never.self)
        for await _ in silence {}
        withExtendedLifetime(source) {}
    }

    @Test func `a request without work remembers that it was canceled`() {
        let request = MockNetworkRequest()
        #expect(!request.isCancelled)
        request.cancel()
        request.cancel()
        #expect(request.isCancelled)
    }

    @Test func `an outcome is delivered once, also if the request is released`() async {
        #expect(await calls { callback in _ = MockNetworkRequest(outcome: {}, callback: callback.call) } == 1)
    }

    @Test func `canceling stops the work and its callback`() async {
        let count = await calls { callback in
            let request = MockNetworkRequest(outcome: never, callback: callback.call)
            request.cancel()
            #expect(request.isCancelled)
        }
        #expect(count == 0)
    }

    @Test @MainActor func `canceling on the main actor stops a pending callback`() async {
        /// Blocks the main actor until there is an outcome, and cancels before the callback can run.
        func start(_ callback: Callback) {
            let made = DispatchSemaphore(value: 0)
            let request = MockNetworkRequest(outcome: { _ = made.signal() }, onMain: { callback.call() })
            made.wait()
            request.cancel()
        }
        #expect(await calls { start($0) } == 0)
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

    @Test func `a request is either canceled or called back`() async {
        for _ in 0..<1000 {
            let isCancelled = Locked(false)
            let count = await calls { callback in
                let request = MockNetworkRequest(outcome: {}, callback: callback.call)
                await Task.detached { request.cancel() }.value
                isCancelled.withLock { $0 = request.isCancelled }
            }
            #expect(count == (isCancelled.withLock { $0 } ? 0 : 1))
        }
    }
}
