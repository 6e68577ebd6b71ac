import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)))
struct LoopbackLifetimeTests {
    @Test func `hundreds of servers run at once, and each stops in milliseconds`() throws {
        let servers = try (0..<200).map { index in try LoopbackServer { _ in .text("\(index)!") } }
        for (index, server) in servers.enumerated() {
            let client = try RawClient(server)
            try client.send(RawClient.get())
            #expect(try client.read(until: "!").hasSuffix("\r\n\r\n\(index)!"))
        }
        for server in servers { server.stop() }
        #expect(servers.allSatisfy { $0.record.isStopped })
    }

    #if os(Linux)
    @Test func `descriptors and threads are given back`() async {
        await #expect(processExitsWith: .success) {
            func count(_ folder: String) -> Int {
                (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? -1
            }
            func exercise() throws {
                for ending in [LoopbackFault.close, .reset, .stall, .halfClose] {
                    let server = try LoopbackServer()
                    server.enqueue(.text("a").fault(ending, at: .responseHead(afterBytes: 1)))
                    let client = try RawClient(server)
                    try client.send(RawClient.get())
                    _ = try? client.read()
                }
            }
            try exercise()
            let before = (count("/proc/self/fd"), count("/proc/self/task"))
            for _ in 0..<50 { try exercise() }
            let after = (count("/proc/self/fd"), count("/proc/self/task"))
            // The process has other threads and descriptors that come and go. A leak would add two hundred of each.
            exit(after.0 <= before.0 + 20 && after.1 <= before.1 + 20 ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
    #endif

    @Test func `a handler may stop its own server`() async throws {
        let own = Box()
        let server = try LoopbackServer { _ in
            own.server?.stop()
            return .status(200)
        }
        own.server = server
        let client = try RawClient(server)
        try client.send(RawClient.get())
        _ = try? client.readToEnd()
        try await server.wait { $0.isStopped }
        own.server = nil
    }

    @Test func `a server can come back on its port`() throws {
        var configuration = LoopbackConfiguration()
        let first = try LoopbackServer()
        configuration.port = first.port
        #expect(throws: LoopbackServerError.self) { try LoopbackServer(configuration) }
        first.stop()
        let second = try LoopbackServer(configuration) { _ in .text("back") }
        let client = try RawClient(second)
        try client.send(RawClient.get())
        #expect(try client.read(until: "back").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test func `waiting ends with a canceled task and with a stopped server`() async throws {
        let server = try LoopbackServer()
        let cancelled = Task { try await server.requests(atLeast: 1) }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let stopped = Task { try await server.request { $0.path == "/never" } }
        server.stop()
        await #expect(throws: CancellationError.self) { try await stopped.value }
    }

    @Test func `a waiter gets the request it waits for, among many`() async throws {
        let server = try LoopbackServer { _ in .status(200) }
        let waiter = Task { try await server.request { $0.path == "/150" } }
        let client = try RawClient(server)
        for index in 0..<200 { try client.send(RawClient.get("/\(index)")) }
        #expect(try await waiter.value.exchange == 150)
        #expect(try await server.requests(atLeast: 200).count == 200)
    }

    @Test func `connections can be ended from outside, and accepting can pause`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let first = try RawClient(server)
        try first.send(RawClient.get())
        _ = try first.read(until: "ok")
        server.pauseAccepting()
        server.closeConnections(.reset)
        #expect(throws: RawClient.Failure.receive(ECONNRESET)) { try first.read() }
        let second = try RawClient(server)
        try second.send(RawClient.get())
        #expect(server.acceptedConnections == 1)
        server.resumeAccepting()
        _ = try second.read(until: "ok")
        #expect(server.acceptedConnections == 2)
    }

    @Test func `an asynchronous handler is canceled when its client goes`() async throws {
        let (begun, ended) = (LoopbackBarrier(), LoopbackBarrier())
        let server = try LoopbackServer(asyncHandler: { _ in
            await withTaskCancellationHandler {
                begun.open()
                try? await ended.opened()
            } onCancel: {
                ended.open()
            }
            return .status(200)
        })
        let client = try RawClient(server)
        try client.send(RawClient.get())
        try await begun.opened()
        client.reset()
        try? await ended.opened()
    }
}

private final class Box: Sendable {
    private let stored = Locked<LoopbackServer?>(nil)
    var server: LoopbackServer? {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}
