import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

/// The connections that many concurrent requests use, as counted by a server. The tests run one at a time, so that
/// requests of other tests don't delay a request until its connection is idle.
@Suite(.timeLimit(.minutes(5)), .serialized, .needsCurl, .needsNginx) struct CurlConnectionsTests {
    private let certificates: Certificates
    /// Under ThreadSanitizer, a thousand handshakes take minutes.
    private static let width = TestLength.count(1_000, sanitized: 200, gate: 1_000, whole: 1_000)
    private static let total = TestLength.count(5, gate: 20, whole: 20) * width

    init() throws { certificates = try #require(Certificates.shared) }

    /// Sends many concurrent requests, and returns the connections that the server reports in its responses.
    private func connections(of total: Int, width: Int, over transport: CurlTransport, _ url: URL) async throws
        -> Set<String>
    {
        try await withThrowingTaskGroup(of: Set<String>.self) { group in
            for worker in 0..<width {
                group.addTask {
                    var connections: Set<String> = []
                    for _ in 0..<(total / width + (worker < total % width ? 1 : 0)) {
                        let response = try await transport.send(HTTPRequest(url: url))
                        connections.insert(response.text.split(separator: " ").first.map(String.init) ?? "")
                    }
                    return connections
                }
            }
            return try await group.reduce(into: []) { $0.formUnion($1) }
        }
    }

    @Test(arguments: [false, true])
    func `as many connections are made as requests run at a time`(isSecure: Bool) async throws {
        let server = try await NginxServer(certificates)
        try await withTransport(requestsPerHost: Self.width) { configuration in
            configuration.requestsInTotal = Self.width
            // With other tests running, all requests may wait for a core until their connections count as idle.
            if !TestLength.isLong { configuration.idleConnections = Self.width }
            configuration.tls.authorities = .file(certificates.authority)
        } _: { transport in
            let url = isSecure ? server.serialURL : server.plainURL
            let connections = try await connections(of: Self.total, width: Self.width, over: transport, url)
            #expect(connections.count <= Self.width * 11 / 10)
        }
    }

    @Test(arguments: [1, 2]) func `after many requests at a time, idle connections above their limit are closed`(
        threads: Int
    ) async throws {
        let barrier = LoopbackBarrier()
        let server = try LoopbackServer { _ in .text("ok").held(by: barrier) }
        try await withTransport(requestsPerHost: 200) { configuration in
            (configuration.threads, configuration.idleConnections) = (threads, 20)
        } _: { transport in
            let exchanges = (0..<200).map { _ in Task { try await transport.send(server.request()) } }
            try await barrier.arrivals(atLeast: 200)
            #expect(server.record.openConnections == 200)
            barrier.open()
            for exchange in exchanges { _ = try await exchange.value }
            // No other request is sent.
            try await server.wait { $0.openConnections <= 20 }
            #expect(server.record.openConnections == 20)
            let before = server.record.acceptedConnections
            _ = try await transport.send(server.request())
            #expect(server.record.acceptedConnections == before)
        }
    }

    /// A running request isn't affected.
    @Test func `idle connections are closed while a request runs`() async throws {
        let barriers = [LoopbackBarrier(), LoopbackBarrier()]
        let server = try LoopbackServer { .text("ok").held(by: barriers[$0.path == "/long" ? 1 : 0]) }
        try await withTransport(requestsPerHost: 100) { configuration in
            (configuration.threads, configuration.idleConnections) = (1, 10)
        } _: { transport in
            let long = Task { try await transport.send(server.request("long")) }
            let exchanges = (0..<80).map { _ in Task { try await transport.send(server.request()) } }
            try await barriers[0].arrivals(atLeast: 80)
            try await barriers[1].arrivals(atLeast: 1)
            barriers[0].open()
            for exchange in exchanges { _ = try await exchange.value }
            try await server.wait { $0.openConnections <= 11 }
            #expect(server.record.openConnections == 11)
            barriers[1].open()
            let response = try await long.value
            #expect(response.text == "ok")
        }
    }
}
