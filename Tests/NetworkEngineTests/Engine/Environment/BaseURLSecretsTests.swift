import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The origins that receive secrets when the configuration replaces the base.
@Suite(.timeLimit(.minutes(5))) struct BaseURLSecretsTests {
    private static let staging = URL(string: "https://staging.test/api")!
    private let mock = MockTransport(.json(#"{"token": "new"}"#).repeating())

    private func provider(_ interceptors: any RequestInterceptor...) -> NetworkProvider<TestTarget> {
        NetworkProvider(mock, interceptors) { $0.baseURL = { _ in Self.staging } }
    }

    private var credentials: [String?] { mock.requests.map { $0.headers["Authorization"] } }

    /// Two addresses with the base's origin, and two with others.
    private static let paths = ["/things", "https://staging.test/x", "http://api.test/v1/things", "https://api.test"]

    @Test func `a token source follows the base, and leaves the target's own origin`() async throws {
        for path in Self.paths {
            _ = try await provider(TokenSource { "t" }).send(TestTarget(path: path, authorization: .optional))
        }
        #expect(credentials == ["Bearer t", "Bearer t", nil, nil])
    }

    @Test func `a token refresher follows the base, and leaves the target's own origin`() async throws {
        let refresher = TokenRefresher(store: InMemoryCredentialStore(BearerToken("t"))) { old, _ in old }
        for path in Self.paths { _ = try await provider(refresher).send(TestTarget(path: path)) }
        #expect(credentials == ["Bearer t", "Bearer t", nil, nil])
    }

    @Test func `a target's own secrets follow the base, and leave the target's own origin`() async throws {
        for path in Self.paths {
            _ = try await provider().send(TestTarget(path: path, headers: ["Authorization": "mine"]))
        }
        #expect(credentials == ["mine", "mine", nil, nil])
    }

    @Test func `a prepared request to the client's own origin gets no token`() async throws {
        let client = HTTPClient(mock, [TokenSource { "t" }]) { $0.baseURL = { _ in Self.staging } }
        for url in [API.base, Self.staging] { try await client.send(URLRequest(url: url)) }
        #expect(credentials == [nil, "Bearer t"])
    }

    @Test func `a redirect from the base to the target's own origin carries no token`() async throws {
        let location = "http://api.test/v1/things"
        let mock = MockTransport(.status(307, headers: ["Location": location]), .status(200))
        let provider = NetworkProvider<API>(mock, [TokenSource { "t" }]) {
            $0.baseURL = { _ in Self.staging }
            $0.redirects.allowsInsecureDowngrade = true
        }
        _ = try await provider.send(.plain)
        #expect(mock.requests.map { $0.headers["Authorization"] } == ["Bearer t", nil])
    }

    private struct Answer: Decodable, Sendable { var token: String }

    @Test func `a refresh calls its target at the base`() async throws {
        let mock = MockTransport()
        mock.on(.post).answers(.json(#"{"token": "new"}"#))
        mock.on(headers: ["Authorization": "Bearer new"]).answers(.status(200))
        mock.on().answers(.status(401))
        let refresher = TokenRefresher(store: InMemoryCredentialStore(BearerToken("old"))) { _, context in
            let answer: Answer = try await context.request(TestTarget(path: "/token", method: .post))
            return BearerToken(answer.token)
        }
        let provider = NetworkProvider<TestTarget>(mock, [refresher]) { $0.baseURL = { _ in Self.staging } }
        _ = try await provider.send(TestTarget())
        #expect(
            mock.requests.map(\.url.absoluteString) == [
                "https://staging.test/api/things", "https://staging.test/api/token", "https://staging.test/api/things",
            ])
    }

    @Test func `a refresh closure of a DefaultInterceptor calls its provider at the base`() async throws {
        let mock = MockTransport(.status(401), .status(200), .status(200))
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        configuration.baseURL = { _ in Self.staging }
        let login = NetworkProvider<TestTarget>(configuration: configuration)
        let interceptor = DefaultInterceptor(refreshToken: {
            _ = try await login.send(TestTarget(path: "/login"))
            return true
        })
        _ = try await NetworkProvider<API>(interceptor: interceptor, configuration: configuration).send(.plain)
        #expect(mock.requests.map(\.url.path) == ["/api/things", "/api/login", "/api/things"])
        #expect(mock.requests.allSatisfy { $0.url.host == "staging.test" })
    }

    @Test func `equal requests of targets with different bases share an exchange at the common base`() async throws {
        let clock = TestClock()
        let slow = MockTransport(.status(200).delayed(by: .seconds(1)).repeating(), clock: clock)
        let deduplication = Deduplication()
        let provider = NetworkProvider<TestTarget>(slow, [deduplication]) {
            $0.baseURL = { _ in Self.staging }
            $0.clock = clock
        }
        let other = TestTarget(baseURL: try #require(URL(string: "http://files.test")))
        async let first = provider.send(TestTarget())
        async let second = provider.send(other)
        while deduplication.waitingCalls < 2 { await Task.yield() }
        await clock.untilSleeping(within: .seconds(30))
        clock.advance(by: .seconds(1))
        #expect(try await [first.statusCode, second.statusCode] == [200, 200] && slow.requests.count == 1)
    }
}
