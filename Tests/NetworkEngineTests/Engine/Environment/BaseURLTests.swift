import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineStreams
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A configuration's base, which replaces the target's.
@Suite(.timeLimit(.minutes(5))) struct BaseURLTests {
    private static let staging = URL(string: "https://staging.test/api")!
    @TaskLocal private static var environment = staging

    @Test func `every kind of call goes to the configuration's base`() async throws {
        let styles = CallStyles { $0.baseURL = { _ in Self.staging } }
        for (name, call) in styles.sending {
            try await call()
            #expect(styles.mock.requests.last?.url.absoluteString == "https://staging.test/api/things", "\(name)")
        }
        #expect(styles.mock.requests.count == styles.sending.count)
    }

    @Test func `the request of a target can be built with the configuration's base`() throws {
        let provider = NetworkProvider<API>(MockTransport()) { $0.baseURL = { _ in Self.staging } }
        let client = HTTPClient(MockTransport()) { $0.baseURL = { _ in Self.staging } }
        let urls = [try provider.urlRequest(for: .plain).url, try client.urlRequest(for: .get("/things")).url]
        #expect(urls.map { $0?.absoluteString } == Array(repeating: "https://staging.test/api/things", count: 2))
        #expect(client.baseURL == API.base)
    }

    @Test(arguments: ["ftp://staging.test", "staging.test", "file:///tmp", "https://", "https://me:pw@staging.test"])
    func `a base that is not an address of HTTP fails before anything is sent`(text: String) async throws {
        let base = try #require(URL(string: text))
        let asked = Locked(0)
        let source = TokenSource {
            asked.withLock { $0 += 1 }
            return "t"
        }
        let styles = CallStyles(path: "https://other.test/x", interceptors: [source]) { $0.baseURL = { _ in base } }
        for (name, call) in styles.all {
            let error = await #expect(throws: NetworkError.self, "\(name)") { try await call() }
            #expect(error?.kind == .invalidRequest && error?.reason.contains("configuration's baseURL") == true)
        }
        #expect(styles.mock.requests.isEmpty && asked.withLock { $0 } == 0)
    }

    @Test func `the closure runs with the caller's task-locals`() async throws {
        let other = try #require(URL(string: "http://task.test"))
        let styles = CallStyles { $0.baseURL = { _ in Self.environment } }
        for (name, call) in styles.sending {
            try await Self.$environment.withValue(other) { try await call() }
            #expect(styles.mock.requests.last?.url.absoluteString == "http://task.test/things", "\(name)")
        }
    }

    /// A base that differs each time it's read.
    private struct Rotation: Sendable {
        let count = Locked(0)

        func next() -> URL {
            let number = count.withLock { count in
                count += 1
                return count
            }
            return URL(string: "http://host\(number).test") ?? API.base
        }
    }

    @Test func `a call asks once, whatever its attempts, redirects and interceptors`() async throws {
        let rotation = Rotation()
        let mock = MockTransport(
            .status(302, headers: ["Location": "/next"]), .status(503), .status(401), .status(200), .status(200))
        let refresher = TokenRefresher(store: InMemoryCredentialStore(BearerToken("old"))) { _, _ in
            BearerToken("new")
        }
        let provider = NetworkProvider<API>(mock, [RetryPolicy(backoff: .constant(.zero)), refresher]) {
            $0.baseURL = { _ in rotation.next() }
        }
        _ = try await provider.send(.plain)
        #expect(Set(mock.requests.map(\.url.host)) == ["host1.test"] && mock.requests.count == 4)
        _ = try await provider.send(.plain)
        #expect(mock.requests.last?.url.host == "host2.test")
    }

    @Test func `events stay at the base that the loop began with`() async throws {
        let rotation = Rotation()
        let type: HTTPHeaders = ["Content-Type": "text/event-stream"]
        let mock = MockTransport(
            .status(200, headers: type, body: "data: a\n\n"), .status(200, headers: type, body: "data: b\n\n"),
            MockAnswer.status(204).repeating())
        var events = NetworkProvider<API>(mock) { $0.baseURL = { _ in rotation.next() } }.events(.plain)
        events.retryDelay = .zero
        var read: [String] = []
        for try await event in events { read.append(event.data) }
        #expect(read == ["a", "b"] && mock.requests.map(\.url.host) == Array(repeating: "host1.test", count: 3))
        for try await _ in events {}
        #expect(mock.requests.last?.url.host == "host2.test")
    }

    @Test func `the closure gets the target of the call, and an interceptor sees it unchanged`() async throws {
        struct Check: RequestInterceptor {
            let seen: Locked<[String]>

            func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
                let words = "\(context.target is TestTarget) \(context.baseURL?.host ?? "")"
                seen.withLock { $0.append(words + " \(context.target?.baseURL.host ?? "")") }
                return request
            }
        }
        let seen = Locked<[String]>([])
        let mock = MockTransport(.status(200).repeating())
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        configuration.baseURL = { target in
            var parts = URLComponents(url: target.baseURL, resolvingAgainstBaseURL: true)
            parts?.host = target is AnyTarget ? "any.test" : "typed.test"
            return parts?.url ?? target.baseURL
        }
        let check = Check(seen: seen)
        _ = try await NetworkProvider<TestTarget>(interceptor: check, configuration: configuration).send(TestTarget())
        let erased = AnyTarget(baseURL: API.base, path: "/things")
        _ = try await NetworkProvider<AnyTarget>(interceptor: check, configuration: configuration).send(erased)
        let client = HTTPClient(baseURL: API.base, interceptors: [check], configuration: configuration)
        try await client.send(.get("/things"))
        let expected = ["true typed.test api.test", "false any.test api.test", "false typed.test api.test"]
        #expect(seen.withLock { $0 } == expected)
        #expect(
            mock.requests.map(\.url.absoluteString) == [
                "http://typed.test/v1/things", "http://any.test/v1/things", "http://typed.test/v1/things",
            ])
    }
}
