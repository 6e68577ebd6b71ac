import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl

/// Requests that a server refuses before it has processed any part of them.
@Suite(
    .timeLimit(.minutes(5)), .needsCurl, .enabled(if: GoAwayServer.isPossible, "python3 or openssl is not installed"))
struct CurlGoAwayTests {
    private let certificates: Certificates

    private static func tells(of refusal: GoAwayServer.Refusal, isReused: Bool) -> Bool {
        guard let version = try? CurlLibrary.shared.get().number else { return false }
        return refusal != .reset || !isReused || version >= 0x08_14_00
    }

    init() throws { certificates = try #require(Certificates.shared) }

    /// The responses to consecutive requests.
    private func answers(
        to methods: [HTTPMethod],
        _ interceptors: [any RequestInterceptor],
        _ refusal: GoAwayServer.Refusal
    ) async throws -> [String] {
        let server = try GoAwayServer(refusal, after: methods.count - 1, certificates)
        defer { withExtendedLifetime(server) {} }
        return try await withTransport({ $0.tls.authorities = .file(certificates.authority) }) { transport in
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            let client = HTTPClient(baseURL: server.url, interceptors: interceptors, configuration: configuration)
            var answers: [String] = []
            for method in methods {
                let body = method == .get ? nil : Data("a".utf8)
                let bytes = try await client.data(Endpoint(path: "/", method: method, body: body))
                answers.append(String(decoding: bytes, as: UTF8.self))
            }
            return answers
        }
    }

    @Test(arguments: GoAwayServer.Refusal.allCases)
    func `a repeatable request is sent again after GOAWAY`(refusal: GoAwayServer.Refusal) async throws {
        #expect(try await answers(to: [.get], [RetryPolicy()], refusal) == ["1"])
        #expect(try await answers(to: [.post], [RetryPolicy(), IdempotencyKey()], refusal) == ["1"])
    }

    @Test(arguments: GoAwayServer.Refusal.allCases, [1, 2])
    func `a GET is sent again without a policy`(refusal: GoAwayServer.Refusal, requests: Int) async throws {
        let methods = Array(repeating: HTTPMethod.get, count: requests)
        #expect(try await answers(to: methods, [], refusal) == (1...requests).map(String.init))
    }

    @Test(arguments: GoAwayServer.Refusal.allCases, [1, 2])
    func `any other request is sent again if libcurl reports its refusal`(
        refusal: GoAwayServer.Refusal,
        requests: Int
    ) async throws {
        let methods = Array(repeating: HTTPMethod.post, count: requests)
        do {
            let answers = try await answers(to: methods, [], refusal)
            #expect(answers == (1...requests).map(String.init))
        } catch let error as NetworkError where !Self.tells(of: refusal, isReused: requests > 1) {
            #expect(error.kind == .connection, "\(error)")
        }
    }

    /// libcurl 7.88 itself sends a request six times, and the transport starts it once more.
    @Test func `a server that refuses every request is not asked on ever new connections`() async throws {
        let server = try GoAwayServer(.reset, connections: 15, certificates)
        defer { withExtendedLifetime(server) {} }
        let error = try await withTransport({ $0.tls.authorities = .file(certificates.authority) }) { transport in
            try await transport.failure(of: HTTPRequest(url: server.url))
        }
        #expect(error.kind == .connection, "\(error)")
    }

    @Test func `a request that is refused and then lost is not sent a third time`() async throws {
        let server = try GoAwayServer(.reset, losing: 1, certificates)
        defer { withExtendedLifetime(server) {} }
        try await withTransport({ $0.tls.authorities = .file(certificates.authority) }) { transport in
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            let client = HTTPClient(baseURL: server.url, interceptors: [RetryPolicy()], configuration: configuration)
            let error = await #expect(throws: NetworkError.self) {
                let answer: Data = try await client.request(.post("/").body(Data("a".utf8)))
                print(answer)
            }
            #expect(error?.transportFailure == .lostBeforeResponse, "\(String(reflecting: error))")
            let answer: Data = try await client.request(.get("/"))
            #expect(String(decoding: answer, as: UTF8.self) == "2")
        }
    }

    /// A transport that trusts the servers, and a client for each.
    private func withClients(
        of servers: [GoAwayServer],
        _ body: ([HTTPClient]) async throws -> Void
    ) async throws {
        try await withTransport({ $0.tls.authorities = .file(certificates.authority) }) { transport in
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            try await body(servers.map { HTTPClient(baseURL: $0.url, configuration: configuration) })
        }
    }

    private func answer(_ method: HTTPMethod, of client: HTTPClient) async throws -> String {
        let body = method == .get ? nil : Data("a".utf8)
        return String(decoding: try await client.data(Endpoint(path: "/", method: method, body: body)), as: UTF8.self)
    }

    @Test(arguments: GoAwayServer.Refusal.allCases.filter { tells(of: $0, isReused: true) }, [false, true])
    func `a request that is refused on a used connection and then lost is not sent a third time`(
        refusal: GoAwayServer.Refusal,
        isReset: Bool
    ) async throws {
        let server = try GoAwayServer(refusal, after: 1, losing: 2, byReset: isReset, certificates)
        try await withClients(of: [server]) { clients in
            let first = try await answer(.post, of: clients[0])
            #expect(first == "1")
            let error = await #expect(throws: NetworkError.self) {
                _ = try await answer(.post, of: clients[0])
            }
            #expect(error?.transportFailure == .lostBeforeResponse, "\(String(reflecting: error))")
            let third = try await answer(.get, of: clients[0])
            #expect(third == "3")
        }
        withExtendedLifetime(server) {}
    }

    @Test(arguments: GoAwayServer.Refusal.allCases, [false, true])
    func `a refusal says nothing about the next request`(
        refusal: GoAwayServer.Refusal,
        isReset: Bool
    ) async throws {
        let servers = [
            try GoAwayServer(refusal, after: 1, certificates),
            try GoAwayServer(refusal, connections: 0, losing: 1, byReset: isReset, certificates),
        ]
        try await withClients(of: servers) { clients in
            let answers = [try await answer(.get, of: clients[0]), try await answer(.get, of: clients[0])]
            #expect(answers == ["1", "2"])
            let error = await #expect(throws: NetworkError.self) {
                _ = try await answer(.post, of: clients[1])
            }
            #expect(error?.transportFailure == .lostBeforeResponse, "\(String(reflecting: error))")
            let next = try await answer(.get, of: clients[1])
            #expect(next == "2")
        }
        withExtendedLifetime(servers) {}
    }
}
