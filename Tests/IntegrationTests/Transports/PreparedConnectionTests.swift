import Foundation
import NetworkEngineCurl
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCookies
@testable import NetworkEngineTesting

/// Connections that are opened before a call needs them.
@Suite(.timeLimit(.minutes(10))) struct PreparedConnectionTests {
    private static let transports: [any Transport] =
        [URLSessionTransport()] + (CurlTransport.isAvailable ? [CurlTransport()] : [])

    private struct Users: TargetType {
        var baseURL: URL
        var path: String { "/users" }
    }

    @Test(arguments: transports) func `the first call uses the connection that was prepared`(transport: any Transport)
        async throws
    {
        let server = try LoopbackServer { _ in .text("ok", status: 404) }
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        configuration.headers = ["X-App": "secret"]
        configuration.cookies = CookieJar()
        let base = server.url.appendingPathComponent("v1")
        let token = TokenSource { "t" }
        try await HTTPClient(baseURL: base, interceptors: [token], configuration: configuration).prepare()
        let request = try #require(server.requests.first)
        #expect(request.method == .head && request.target == "/")
        #expect(["Authorization", "X-App", "Cookie"].allSatisfy { request.headers[$0] == nil })
        configuration.validation = .anyResponse
        let provider = NetworkProvider<Users>(interceptors: [token], configuration: configuration)
        try await provider.prepare(for: Users(baseURL: base))
        try await provider.send(Users(baseURL: base))
        #expect(server.requests.count == 3 && server.acceptedConnections == 1)
        #expect(server.requests.last?.headers["Authorization"] == "Bearer t")
    }

    @Test(arguments: transports) func `a server that cannot be reached is an error`(transport: any Transport)
        async throws
    {
        let port = ClosedPort()
        let url = try #require(port.url)
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        let error = await #expect(throws: NetworkError.self) {
            try await HTTPClient(baseURL: url, configuration: configuration).prepare()
        }
        #expect(error?.kind == .connection)
        let invalid = await #expect(throws: NetworkError.self) {
            try await HTTPClient(baseURL: URL(fileURLWithPath: "/"), configuration: configuration).prepare()
        }
        #expect(invalid?.kind == .invalidRequest)
    }
}
