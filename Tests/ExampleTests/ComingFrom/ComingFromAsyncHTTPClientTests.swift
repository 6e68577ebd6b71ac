import Foundation
import NetworkEngine
import NetworkEngineCurl
import NetworkEngineTesting
import TestSupport
import Testing

/// The right-hand sides of “Coming from AsyncHTTPClient”.
@Suite(
    .timeLimit(.minutes(5)), .enabled(if: CurlTransport.isAvailable, "there is no libcurl here that can be used")
) struct ComingFromAsyncHTTPClientTests {
    private func server() throws -> LoopbackServer { try LoopbackServer { _ in .json(#"{"id": 7, "name": "Ada"}"#) } }

    @Test func `a client, its limits and its end`() async throws {
        let server = try server()
        let service = server.url
        // sample
        var curl = CurlConfiguration()
        curl.connectTimeout = .seconds(2)
        curl.requestsPerHost = 8
        var configuration = NetworkConfiguration()
        configuration.timeout = .seconds(10)  // without any byte
        configuration.redirects.limit = 3
        let transport = CurlTransport(configuration: curl)
        configuration.transport = transport
        let client = HTTPClient(baseURL: service, configuration: configuration)
        // end
        let user: User = try await client.request(.get("/users/7"))
        // sample
        transport.shutdown()
        // end
        #expect(user.name == "Ada")
    }

    @Test func `a request with a body`() async throws {
        let server = try server()
        var configuration = NetworkConfiguration()
        configuration.deadline = .seconds(30)
        let client = HTTPClient(baseURL: server.url, configuration: configuration)
        let draft = Draft(name: "Ada")
        // sample
        let user: User = try await client.request(.post("/users", headers: ["X-A": "1"]).json(draft))
        // end
        #expect(user.id == 7 && server.requests.first?.text == #"{"name":"Ada"}"#)
    }

    @Test func `a body in memory has a limit`() async throws {
        let server = try server()
        let service = server.url
        var configuration = NetworkConfiguration()
        // sample
        configuration.limits.bodyInMemory = 1 << 20
        let client = HTTPClient(baseURL: service, configuration: configuration)
        let response = try await client.send(.get("/users/7"))
        let bytes = response.data
        // end
        #expect(bytes.count == 24)
    }

    @Test func `a body that is read while it arrives`() async throws {
        let server = try server()
        let client = HTTPClient(baseURL: server.url)
        var sum = 0
        // sample
        for try await chunk in try await client.stream(.get("/export")) { sum += chunk.count }
        // end
        #expect(sum == 24)
    }

    @Test func `a body that is sent while it is produced`() async throws {
        let server = try server()
        let client = HTTPClient(baseURL: server.url)
        let chunks = AsyncStream { stream in
            stream.yield(Data("a".utf8))
            stream.finish()
        }
        // sample
        let body = BodyStream(chunks, length: 1)
        _ = try await client.request(.put("/import").body(.stream(body)))
        // end
        #expect(server.requests.first?.text == "a")
    }

    @Test func `a download to a file`() async throws {
        let place = try TemporaryFolder()
        let file = place.url.appendingPathComponent("a")
        defer { withExtendedLifetime(place) {} }
        let server = try server()
        let client = HTTPClient(baseURL: server.url)
        // sample
        let saved = try await client.download(.get("/a"), to: .file(at: file)) { progress in
            print(progress.completed, progress.total ?? 0)
        }
        // end
        #expect(try Data(contentsOf: saved).count == 24)
    }

    @Test func `errors`() async throws {
        let server = try LoopbackServer { _ in .hang }
        var configuration = NetworkConfiguration()
        configuration.timeout = .milliseconds(20)
        let client = HTTPClient(baseURL: server.url, configuration: configuration)
        var shown = ""
        func show(_ text: String) { shown = text }
        // sample
        do {
            try await client.send(.get("/"))
        } catch {
            switch error.transportFailure {
            case .timeout(.connect): show("not connected in time")
            case .timeout: show("no answer in time")
            case .lostBeforeResponse, .lostMidBody: show("connection lost")
            default: show(error.reason)
            }
        }
        // end
        #expect(shown == "no answer in time")
    }

    @Test func `security and proxies`() throws {
        let proxy = try #require(URL(string: "http://proxy.internal:3128"))
        // sample
        var curl = CurlConfiguration()
        curl.tls.minimumVersion = .v1_3
        curl.proxy = .url(proxy)
        curl.usesHTTP2 = true
        // end
        try CurlTransport(configuration: curl).validate()
    }
}
