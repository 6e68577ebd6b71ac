import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

#if os(Linux)
@Suite(.timeLimit(.minutes(5)), .needsCurl) struct CurlLifecycleTests {
    @Test func `a thousand released transports leave no thread, descriptor or memory`() async {
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

    @Test func `a transport that several threads shut down at the same time ends every exchange`() async throws {
        let server = try LoopbackServer { _ in .text("late").held(by: LoopbackBarrier()) }
        for _ in 0..<50 {
            let transport = CurlTransport()
            let exchange = Task { try await transport.send(server.request()) }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { transport.shutdown() } }
            }
            await #expect(throws: NetworkError.self) { try await exchange.value }
        }
    }

    @Test func `an unused transport has no thread`() throws {
        let transports = (0..<100).map { _ in CurlTransport() }
        for transport in transports { transport.shutdown() }
    }

    /// Each thread that resumes a task leaves an object behind. libdispatch keeps 1,024 of them per worker.
    private static func fillCachesOfDispatch() async {
        for _ in 0..<4_000 {
            await withCheckedContinuation { waiter in Thread.detachNewThread { waiter.resume() } }
        }
    }

    struct Resources {
        let threads: Int
        let descriptors: Int
        /// Allocated bytes. The resident memory is larger, because malloc's arenas retain pages.
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

    /// The epoll descriptors in this process.
    private static func eventPolls() throws -> Set<Int32> {
        let folder = "/proc/self/fd"
        let numbers = try FileManager.default.contentsOfDirectory(atPath: folder).filter { number in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(number)"))?
                .contains("eventpoll") == true
        }
        return Set(numbers.compactMap(Int32.init))
    }

    @Test func `a loop that fails is created again for the next request`() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer {
                $0.path == "/held" ? .text("late").held(by: LoopbackBarrier()) : .text("ok")
            }
            let before = try Self.eventPolls()
            let transport = CurlTransport()
            _ = try await transport.send(server.request())
            let own = try Self.eventPolls().subtracting(before)
            let held = Task { try await transport.send(server.request("held")) }
            try await server.wait { $0.requestCount == 2 }
            // The system rejects every further operation on the loop's epoll set.
            let other = open("/dev/null", O_RDWR)
            for descriptor in own { dup2(other, descriptor) }
            _ = try? await transport.send(server.request())
            let error = await #expect(throws: NetworkError.self) { try await held.value }
            #expect(error?.transportFailure == .lostBeforeResponse)
            #expect(error?.reason.contains("event loop") == true)
            for _ in 0..<10 {
                let response = try await transport.send(server.request())
                #expect(response.text == "ok")
            }
            transport.shutdown()
        }
    }

    @Test func `requests fail while the system has no free descriptors`() async {
        await #expect(processExitsWith: .success) {
            // The platform's first timer needs a descriptor, and terminates a process that has none. The test runner
            // has its own timers.
            await withCheckedContinuation { waiter in
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { waiter.resume() }
            }
            let server = try LoopbackServer { _ in .text("ok") }
            let request = server.request()
            let transport = CurlTransport()
            let error = try await Descriptors.withOneFree {
                await #expect(throws: NetworkError.self) { try await transport.send(request) }
            }
            #expect(error?.transportFailure == .limitExceeded)
            let response = try await transport.send(request)
            #expect(response.text == "ok")
            transport.shutdown()
        }
    }

    @Test func `idle connections leave descriptors to others, and the lack of them is no failure of a host`() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(7), &limit)
            let servers = try (0..<80).map { _ in try LoopbackServer { _ in .text("ok") } }
            let used = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            var few = rlimit(rlim_cur: rlim_t(used + 120), rlim_max: limit.rlim_max)
            setrlimit(__rlimit_resource_t(7), &few)
            let transport = CurlTransport()
            // Both ends of a connection are in this process. Without a limit, eighty idle connections would take 160. A
            // process that has inherited many descriptors has a higher limit.
            if used < 400 {
                for server in servers {
                    let response = try await transport.send(server.request())
                    #expect(response.text == "ok")
                }
            }
            let address = try #require(URL(string: "http://127.0.0.1:1/"))
            let request = HTTPRequest(url: address)
            // The socket thread starts with the first socket.
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            let client = HTTPClient(baseURL: address, configuration: configuration)
            await #expect(throws: NetworkError.self) { _ = try await client.webSocket(.get("/")) }
            // Only idle connections are left, which are closed one after another. Nothing listens at the address.
            var held: [Int32] = []
            var kinds: [NetworkError.Kind?] = []
            repeat {
                while case let file = open("/dev/null", O_RDONLY), file >= 0 { held.append(file) }
                let error = await #expect(throws: NetworkError.self) { try await transport.send(request) }
                kinds.append(error?.kind)
                if error?.kind == .limit { #expect(error?.reason.contains("descriptor") == true) }
            } while kinds.count < 100 && kinds.last == .connection
            #expect(held.count > 10)
            #expect(kinds.last == .limit)
            // A process that has inherited many descriptors has no idle connections here.
            #expect(kinds.first == (used < 400 ? .connection : .limit))
            // The servers close their ends of the connections later.
            for server in servers { try await server.wait { $0.openConnections == 0 } }
            while case let file = open("/dev/null", O_RDONLY), file >= 0 { held.append(file) }
            let socketError = await #expect(throws: NetworkError.self) { _ = try await client.webSocket(.get("/")) }
            #expect(socketError?.kind == .limit)
            for file in held { close(file) }
            transport.shutdown()
        }
    }

    /// Runs in a separate process, where no other test occupies the threads that a canceled task resumes on.
    @Test func `canceling takes less than ten milliseconds at both ends`() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer { _ in .fault(.stall) }
            try await withTransport { transport in
                var times: [Duration] = []
                for _ in 0..<21 {
                    let seen = server.record.requestCount
                    let task = Task { try await transport.send(server.request()) }
                    try await server.wait { $0.requestCount > seen }
                    let start = ContinuousClock.now
                    task.cancel()
                    _ = await task.result
                    times.append(ContinuousClock.now - start)
                }
                // The best time counts, to exclude other work on the machine.
                try #require(times.min() ?? .zero < .milliseconds(10))
            }
        }
    }
}
#endif
