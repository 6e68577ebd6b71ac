import Foundation
import NetworkEngine
import NetworkEngineObservation
import NetworkEngineTesting
import TestSupport
import Testing

// sample
nonisolated enum Stage: String, CaseIterable, Sendable {
    case production, staging, local

    var address: URL {
        switch self {
        case .production: URL(string: "https://api.example.com/v1")!
        case .staging: URL(string: "https://staging.example.com/v1")!
        case .local: URL(string: "http://localhost:8080")!
        }
    }
}
// end

/// The samples of “Environments”.
@Suite(.timeLimit(.minutes(5))) struct EnvironmentsTests {
    private enum UserAPI: TargetType {
        case user(Int)

        var baseURL: URL { api }
        var path: EndpointPath { if case .user(let id) = self { "/users/\(id)" } else { "" } }
    }

    private enum ReportsAPI: TargetType {
        case month

        var baseURL: URL { URL(string: "https://reports.example.com")! }
        var path: String { "/month" }
    }

    private func configuration(_ mock: MockTransport) -> NetworkConfiguration {
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        return configuration
    }

    private func addresses(_ mock: MockTransport) -> [String] { mock.requests.map(\.url.absoluteString) }

    @Test func `a base replaces that of every call`() async throws {
        let mock = MockTransport(MockAnswer.status(204).repeating())
        var configuration = configuration(mock)
        let stage = Stage.staging
        // sample
        configuration.baseURL = { _ in stage.address }
        // end
        // sample
        let users = NetworkProvider<UserAPI>(configuration: configuration)
        try await users.request(.user(7))  // https://staging.example.com/v1/users/7
        // end
        try await HTTPClient(baseURL: api, configuration: configuration).send(.get("/users/8"))
        #expect(
            addresses(mock) == ["https://staging.example.com/v1/users/7", "https://staging.example.com/v1/users/8"])
    }

    @Test func `a base is chosen for each target`() async throws {
        let mock = MockTransport(MockAnswer.status(204).repeating())
        var configuration = configuration(mock)
        let staging = Stage.staging.address
        // sample
        configuration.baseURL = { target in
            switch target {
            case is UserAPI: staging
            case let any as AnyTarget where any.target is UserAPI: staging
            default: target.baseURL
            }
        }
        // end
        try await NetworkProvider<UserAPI>(configuration: configuration).request(.user(7))
        try await NetworkProvider<AnyTarget>(configuration: configuration).request(AnyTarget(UserAPI.user(8)))
        try await NetworkProvider<ReportsAPI>(configuration: configuration).request(.month)
        #expect(mock.requests.map(\.url.host) == ["staging.example.com", "staging.example.com", "reports.example.com"])
    }

    @Test func `a base can change while the app runs`() async throws {
        let mock = MockTransport(MockAnswer.status(204).repeating())
        var configuration = configuration(mock)
        // sample
        let settings = Settings()
        configuration.baseURL = { _ in settings.stage.address }
        let users = NetworkProvider<UserAPI>(configuration: configuration)
        try await users.request(.user(7))
        settings.stage = .local
        try await users.request(.user(7))  // http://localhost:8080/users/7
        // end
        #expect(mock.requests.map(\.url.host) == ["api.example.com", "localhost"])
    }

    /// The settings of a developer menu.
    private nonisolated final class Settings: Sendable {
        private let name = Locked(Stage.production)

        var stage: Stage {
            get { name.withLock { $0 } }
            set { name.withLock { $0 = newValue } }
        }
    }

    @Test func `common headers are for every request`() async throws {
        let mock = MockTransport(.status(204))
        var configuration = configuration(mock)
        // sample
        configuration.headers = ["X-App-Version": "2.1", "Accept-Language": "en"]
        let client = HTTPClient(baseURL: api, configuration: configuration)
        try await client.send(.get("/users", headers: ["Accept-Language": "fr"]))  // the endpoint's own wins
        // end
        #expect(mock.requests.first?.headers["Accept-Language"] == "fr")
        #expect(mock.requests.first?.headers["X-App-Version"] == "2.1")
    }

    // sample
    struct Language: RequestInterceptor {
        let code: @Sendable () -> String

        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            var request = request
            request.headers["Accept-Language"] = code()
            return request
        }
    }
    // end

    @Test func `a header that changes is an interceptor`() async throws {
        let mock = MockTransport(.status(204))
        try await makeClient(mock, [Language { "de" }]).send(.get("/"))
        #expect(mock.requests.first?.headers["Accept-Language"] == "de")
    }

    @Test func `secrets follow the base, and trusted origins get them, too`() async throws {
        let mock = MockTransport(MockAnswer.status(204).repeating())
        var configuration = configuration(mock)
        let (staging, downloads) = (Stage.staging.address, URL(string: "https://files.example.com")!)
        // sample
        configuration.baseURL = { _ in staging }
        configuration.headers["X-API-Key"] = "k"  // a secret name: sent to the base and to trusted origins
        configuration.trustedOrigins = [downloads]
        configuration.secretNames = ["X-Customer"]
        // end
        let client = HTTPClient(baseURL: api, configuration: configuration)
        for path in ["/users", "https://files.example.com/a", "https://other.example.com/a"] {
            try await client.send(.get(path))
        }
        #expect(mock.requests.map { $0.headers["X-API-Key"] } == ["k", "k", nil])
    }

    @Test func `one configuration is made in one place`() async throws {
        let mock = MockTransport(.status(204))
        // sample
        func configuration(for stage: Stage) -> NetworkConfiguration {
            var configuration = NetworkConfiguration()
            configuration.baseURL = { _ in stage.address }
            configuration.deadline = .seconds(30)
            if stage != .production { configuration.observers = [RequestLogger()] }
            return configuration
        }
        // end
        var local = configuration(for: .local)
        local.observers = []
        local.transport = mock
        try await NetworkProvider<UserAPI>(configuration: local).request(.user(7))
        #expect(addresses(mock) == ["http://localhost:8080/users/7"])
    }
}
