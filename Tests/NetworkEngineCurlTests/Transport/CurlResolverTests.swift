import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

/// Host names that the app resolves.
@Suite(.timeLimit(.minutes(10)), .needsCurl) struct CurlResolverTests {
    private struct Unknown: Error {}

    private func request(_ server: LoopbackServer, host: String = "api.test", _ path: String = "/") -> HTTPRequest {
        HTTPRequest(url: URL(string: "http://\(host):\(server.port)\(path)")!)
    }

    private func withResolver<Value>(
        _ resolver: @escaping @Sendable (String) async throws -> [String],
        _ change: (inout CurlConfiguration) -> Void = { _ in },
        _ body: (CurlTransport) async throws -> Value
    ) async throws -> Value {
        var configuration = CurlConfiguration()
        configuration.resolver = resolver
        change(&configuration)
        let transport = CurlTransport(configuration: configuration)
        defer { transport.shutdown() }
        return try await body(transport)
    }

    @Test func `a request goes to the address of the resolver, with the name as its host`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let asked = Locked<[String]>([])
        try await withResolver({ host in
            asked.withLock { $0.append(host) }
            return ["127.0.0.1"]
        }) { transport in
            for _ in 0..<3 { _ = try await transport.send(request(server)) }
            let text1 = try await transport.send(HTTPRequest(url: server.url)).text
            #expect(text1 == "ok")
        }
        #expect(asked.withLock { $0 } == ["api.test", "api.test", "api.test"])
        #expect(server.requests.first?.headers["Host"] == "api.test:\(server.port)")
        #expect(server.acceptedConnections == 2)
    }

    @Test func `the end of a transport ends a call that waits for the resolver`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let asked = OneShot<Void>()
        try await withResolver({ _ in
            asked.settle(())
            try await OneShot<Void>().wait()
            return []
        }) { transport in
            let call = Task { try await transport.send(request(server)) }
            try await asked.wait()
            transport.shutdown()
            let error = await #expect(throws: NetworkError.self) { try await call.value }
            #expect(error?.kind == .cancelled && error?.reason == "the transport was shut down")
        }
    }

    @Test func `the next address is tried if the first one does not answer`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        // Nothing listens at the other address.
        try await withResolver({ _ in ["127.0.0.2", "127.0.0.1"] }) { transport in
            let text2 = try await transport.send(request(server)).text
            #expect(text2 == "ok")
        }
    }

    private var ipv6: LoopbackConfiguration {
        var configuration = LoopbackConfiguration()
        configuration.address = .ipv6
        return configuration
    }

    @Test func `a new connection goes to the address of its own request`() async throws {
        let (one, other) = (
            try LoopbackServer { _ in .text("one").ending(.close) }, try LoopbackServer(ipv6) { _ in .text("other") }
        )
        let isMoved = Locked(false)
        try await withResolver({ _ in [isMoved.withLock { $0 } ? "::1" : "127.0.0.1"] }) { transport in
            let text3 = try await transport.send(request(one)).text
            #expect(text3 == "one")
            isMoved.withLock { $0 = true }
            let text4 = try await transport.send(request(other)).text
            #expect(text4 == "other")
        }
    }

    @Test(arguments: [
        [], ["api.test"], ["127.0.0.1", "1.2.3"], ["127.0.0.1:80"], ["[::1]"], ["::1%lo"], ["127.0.0.1\r\nX"],
    ])
    func `an answer that is no address fails the request before any I/O`(addresses: [String]) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let error = try await withResolver({ _ in addresses }) { transport in
            await #expect(throws: NetworkError.self) { try await transport.send(request(server)) }
        }
        #expect(error?.transportFailure == .dns && server.acceptedConnections == 0)
    }

    @Test func `an error of the resolver is the cause of the failure`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let error = try await withResolver({ _ in throw Unknown() }) { transport in
            await #expect(throws: NetworkError.self) { try await transport.send(request(server)) }
        }
        #expect(error?.transportFailure == .dns && error?.underlying is Unknown && error?.request != nil)
    }

    @Test func `a resolver that hangs ends with the connect timeout`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let never = OneShot<Void>()
        let hang: @Sendable (String) async throws -> [String] = { _ in
            // Ignores cancellation.
            _ = await Task.detached { try? await never.wait() }.value
            return []
        }
        let error = try await withResolver(hang, { $0.connectTimeout = .milliseconds(50) }) { transport in
            await #expect(throws: NetworkError.self) { try await transport.send(request(server)) }
        }
        never.settle(())
        #expect(error?.transportFailure == .timeout(.connect))
    }

    @Test func `canceling ends a resolution`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let (entered, never) = (OneShot<Void>(), OneShot<Void>())
        let hang: @Sendable (String) async throws -> [String] = { _ in
            entered.settle(())
            _ = try await never.wait()
            return []
        }
        try await withResolver(hang) { transport in
            let call = Task { [request = request(server)] in try await transport.send(request) }
            try await entered.wait()
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
        }
    }

    @Test func `a WebSocket asks the resolver, too`() async throws {
        let server = try LoopbackServer { _ in
            .webSocket { socket in for try await message in socket.messages { try await socket.send(message) } }
        }
        try await withResolver({ _ in ["127.0.0.1"] }) { transport in
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            let client = HTTPClient(
                baseURL: try #require(URL(string: "http://api.test:\(server.port)")), configuration: configuration)
            let socket = try await client.webSocket(.get("/"))
            try await socket.send(.text("a"))
            var messages = socket.messages.makeAsyncIterator()
            let first = try await messages.next()
            #expect(first == .text("a"))
            await socket.close()
        }
    }

    @Test func `an error of the framework in a resolver is its cause, too`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let error = try await withResolver({ _ in throw NetworkError(kind: .status) }) { transport in
            await #expect(throws: NetworkError.self) { try await transport.send(request(server)) }
        }
        #expect(error?.transportFailure == .dns && (error?.underlying as? NetworkError)?.kind == .status)
    }

    @Test func `the addresses hold also if names are not cached`() async throws {
        let server = try LoopbackServer { _ in .text("ok").ending(.close) }
        try await withResolver({ _ in ["127.0.0.1"] }, { $0.nameLifetime = .zero }) { transport in
            for _ in 0..<3 { _ = try await transport.send(request(server)) }
        }
        #expect(server.requests.count == 3)
    }
}
