import Foundation
import NetworkEngine
import NetworkEngineCurl
import NetworkEngineObservation
import NetworkEngineResilience
import NetworkEngineTesting
import TestSupport
import Testing

/// The samples of “Servers on Linux”.
@Suite(
    .timeLimit(.minutes(5)), .enabled(if: CurlTransport.isAvailable, "there is no libcurl here that can be used")
) struct ServersOnLinuxTests {
    private func server() throws -> LoopbackServer { try LoopbackServer { _ in .json(#"{"id": 7, "name": "Ada"}"#) } }

    // sample
    enum Network {
        static let transport = CurlTransport()
        static let interceptors: [any RequestInterceptor] = [
            TraceContext(), RetryPolicy(attemptLimit: 2), CircuitBreaker(), ConcurrencyLimit(),
        ]

        static func client(for service: URL) -> HTTPClient {
            var configuration = NetworkConfiguration()
            (configuration.transport, configuration.deadline) = (transport, .seconds(15))
            return HTTPClient(baseURL: service, interceptors: interceptors, configuration: configuration)
        }
    }
    // end

    @Test func `all clients share one transport`() async throws {
        let server = try server()
        for _ in 1...3 {
            let user: User = try await Network.client(for: server.url).request(.get("/users/7"))
            #expect(user.name == "Ada")
        }
        #expect(server.acceptedConnections == 1)
        #expect(server.requests.allSatisfy { $0.headers["traceparent"] != nil })
    }

    @Test func `pools have limits`() async throws {
        let server = try server()
        // sample
        var curl = CurlConfiguration()
        curl.requestsPerHost = 32  // others wait in order of priority
        curl.requestsInTotal = 256
        curl.idleConnections = 64
        curl.idleLifetime = .seconds(30)  // less than the server's keep-alive
        curl.connectTimeout = .seconds(2)
        let transport = CurlTransport(configuration: curl)
        // end
        // sample
        try transport.validate()  // at the start: throws without a usable libcurl
        // end
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        try await HTTPClient(baseURL: server.url, configuration: configuration).send(.get("/"))
        // sample
        transport.shutdown()  // at the end: ends all calls as canceled, and closes the connections
        // end
        let error = await #expect(throws: NetworkError.self) {
            try await HTTPClient(baseURL: server.url, configuration: configuration).send(.get("/"))
        }
        #expect(error?.kind == .unsupported)
    }

    @Test func `the error of a deadline tells where the time went`() async throws {
        let server = try LoopbackServer { _ in .fault(.stall) }
        var configuration = NetworkConfiguration()
        configuration.deadline = .milliseconds(100)
        let client = HTTPClient(baseURL: server.url, configuration: configuration)
        var logged = ""
        func log(_ text: String) { logged = text }
        // sample
        do {
            try await client.send(.get("/report"))
        } catch {
            guard let spent = error.figures.timeSpent else { throw error }  // another error than that of a deadline
            log("queues: \(spent.queue + spent.permit), connecting: \(spent.connect), server: \(spent.server)")
        }
        // end
        #expect(logged.hasPrefix("queues: "))
    }

    @Test func `a call of a client has its own limits`() async throws {
        let server = try server()
        let client = Network.client(for: server.url)
        // sample
        var report = Endpoint.get("/report").timeout(.seconds(60))  // without any byte
        report.template = "/report"  // for metrics
        let response = try await client.adding(RetryPolicy(attemptLimit: 2)).send(report)
        // end
        #expect(response.statusCode == 200)
    }

    @Test func `a slow body is streamed through`() async throws {
        let server = try LoopbackServer { _ in .text("line\nline\n").chunked(size: 5) }
        let client = Network.client(for: server.url)
        var lines: [String] = []
        // sample
        for try await line in try await client.stream(.get("/export")).lines() {
            lines.append(line)
        }
        // end
        #expect(lines == ["line", "line"])
    }

    @Test func `other authorities, pins, certificates and proxies are policies`() throws {
        let folder = URL(fileURLWithPath: "/run/secrets")
        // sample
        var curl = CurlConfiguration()
        curl.tls.authorities = .file(folder.appendingPathComponent("authorities.pem"))
        curl.tls.hostAuthorities = ["*.intern.example.com": .file(folder.appendingPathComponent("company.pem"))]
        curl.tls.minimumVersion = .v1_3
        curl.proxy = .url(URL(string: "http://proxy.internal:3128")!, credentials: nil)
        let outside = CurlTransport(configuration: curl)
        // end
        #expect(throws: NetworkError.self) { try outside.validate() }
        // sample
        var local = CurlConfiguration()
        local.unixSocket = "/var/run/docker.sock"
        let docker = CurlTransport(configuration: local)
        // end
        try docker.validate()
    }

    private struct Registry: Sendable {
        func addresses(of host: String) async throws -> [String] { ["127.0.0.1"] }
    }

    @Test func `names are resolved by a closure`() async throws {
        let (server, registry) = (try server(), Registry())
        // sample
        var named = CurlConfiguration()
        named.resolver = { host in try await registry.addresses(of: host) }
        // end
        var configuration = NetworkConfiguration()
        configuration.transport = CurlTransport(configuration: named)
        let base = URL(string: "http://users.service:\(server.port)")!
        let user: User = try await HTTPClient(baseURL: base, configuration: configuration).request(.get("/users/7"))
        #expect(user.name == "Ada")
    }

    @Test func `metrics are read from an endpoint`() async throws {
        let server = try server()
        var configuration = NetworkConfiguration()
        // sample
        let metrics = MetricsRecorder()
        configuration.observers = [metrics, RequestLogger(level: .line)]
        // end
        configuration.observers = [metrics]
        try await HTTPClient(baseURL: server.url, configuration: configuration).send(.get("/"))
        #expect(metrics.prometheusText().contains("http_client"))
    }
}
