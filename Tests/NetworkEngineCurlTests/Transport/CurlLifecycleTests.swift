import Foundation
import NetworkEngine
import NetworkEngineCurl
import NetworkEngineTesting
import Testing

#if os(Linux)
@Suite(.timeLimit(.minutes(1)), .needsCurl) struct CurlLifecycleTests {
    @Test func `a thousand transports made and dropped leave no thread, no descriptor and no memory`() async {
        await #expect(processExitsWith: .success) {
            var configuration = LoopbackConfiguration()
            configuration.requestRecordingLimit = 0
            let server = try LoopbackServer(configuration) { _ in .text("x") }
            func use(_ count: Int) async throws {
                for _ in 0..<count { _ = try await CurlTransport().send(server.request()) }
                try await server.wait { $0.openConnections == 0 }
            }
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

    struct Resources {
        let threads: Int
        let descriptors: Int
        /// What the process keeps in memory of its own.
        let bytes: Int

        init() throws {
            threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
            descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
            bytes = (pages.count > 1 ? Int(pages[1]) ?? 0 : 0) * 4096
        }
    }

    struct Grown: Error {
        let before: Resources
        let after: Resources
    }
}
#endif
