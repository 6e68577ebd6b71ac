import Foundation
import NetworkEngine
import NetworkEngineCurl
import NetworkEngineTesting
import Testing

#if os(Linux)
@Suite(.timeLimit(.minutes(5)), .needsCurl) struct CurlLifecycleTests {
    @Test func `a thousand transports made and dropped leave no thread, no descriptor and no memory`() async {
        await #expect(processExitsWith: .success) {
            var configuration = LoopbackConfiguration()
            configuration.requestRecordingLimit = 0
            let server = try LoopbackServer(configuration) { _ in .text("x") }
            func use(_ count: Int) async throws {
                for _ in 0..<count { _ = try await CurlTransport().send(server.request()) }
                try await server.wait { $0.openConnections == 0 }
            }
            await Self.fillCachesOfDispatch()
            try await use(100)
            let before = try Resources()
            try await use(1_000)
            let after = try Resources()
            let isFlat =
                after.threads <= before.threads && after.descriptors <= before.descriptors
                && after.bytes - before.bytes < 64 << 10
            if !isFlat { throw Grown(before: before, after: after) }
        }
    }

    @Test func `a transport that was never used costs no thread`() throws {
        let transports = (0..<100).map { _ in CurlTransport() }
        for transport in transports { transport.shutdown() }
    }

    /// Each thread that wakes a task leaves an object behind, of which libdispatch keeps 1,024 for each worker.
    private static func fillCachesOfDispatch() async {
        for _ in 0..<4_000 {
            await withCheckedContinuation { waiter in Thread.detachNewThread { waiter.resume() } }
        }
    }

    struct Resources {
        let threads: Int
        let descriptors: Int
        /// What is allocated: what the process has in memory is more, in pages that come and go with malloc's arenas.
        let bytes: Int

        init() throws {
            threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
            descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            bytes = try Heap.allocatedBytes()
        }
    }

    struct Grown: Error {
        let before: Resources
        let after: Resources
    }
}
#endif
