import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)), .needsCurl) struct CurlProxyTests {
    private static let address = URL(string: "http://nowhere.invalid/x?a=1")

    @Test func `a proxy gets the whole address and its credentials`() async throws {
        let proxy = try LoopbackServer { _ in .text("by proxy") }
        let url = try #require(Self.address)
        let policy = ProxyPolicy.url(proxy.url, credentials: ProxyCredentials(user: "me", password: "a:b"))
        let response = try await withTransport({ $0.proxy = policy }) { try await $0.send(HTTPRequest(url: url)) }
        #expect(response.text == "by proxy")
        #expect(proxy.requests.first?.target == "http://nowhere.invalid/x?a=1")
        #expect(proxy.requests.first?.headers["Proxy-Authorization"] == "Basic bWU6YTpi")
    }

    @Test func `a refused tunnel is a failure to connect`() async throws {
        let proxy = try LoopbackServer { _ in .status(403) }
        let url = try #require(URL(string: "https://nowhere.invalid/"))
        let error = try await withTransport({ $0.proxy = .url(proxy.url) }) {
            try await $0.failure(of: HTTPRequest(url: url))
        }
        #expect(error.transportFailure == .connect, "\(error)")
        #expect(proxy.requests.first?.method == .connect)
    }

    @Test func `credentials that a proxy refuses are sent once`() async throws {
        let proxy = try LoopbackServer { _ in .status(407, headers: ["Proxy-Authenticate": "Basic realm=a"]) }
        let url = try #require(URL(string: "https://nowhere.invalid"))
        let policy = ProxyPolicy.url(proxy.url, credentials: ProxyCredentials(user: "me", password: "wrong"))
        let error = try await withTransport({ $0.proxy = policy }) { transport in
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            let interceptors = [RetryPolicy(backoff: .constant(.milliseconds(1)))]
            let client = HTTPClient(baseURL: url, interceptors: interceptors, configuration: configuration)
            return await #expect(throws: NetworkError.self) { try await client.send(.get("/")) }
        }
        #expect(error?.kind == .authentication, "\(error as Any)")
        #expect(proxy.requests.map { $0.headers["Proxy-Authorization"] } == ["Basic bWU6d3Jvbmc="])
    }

    #if os(Linux)
    @Test func `proxies of the environment are used only on request`() async {
        await #expect(processExitsWith: .success) {
            let proxy = try LoopbackServer { _ in .text("by proxy") }
            setenv("http_proxy", proxy.url.absoluteString, 1)
            let url = try #require(CurlProxyTests.address)
            let text = try await withTransport({ $0.proxy = .environment }) {
                try await $0.send(HTTPRequest(url: url)).text
            }
            let error = try await withTransport { try await $0.failure(of: HTTPRequest(url: url)) }
            if text != "by proxy" || error.transportFailure != .dns { throw CancellationError() }
        }
    }
    #endif
}
