import Foundation
import NetworkEngine
import NetworkEngineDigest
import NetworkEngineTesting
import TestSupport
import Testing

#if canImport(Security)
import Security
#endif

/// The samples of “Credentials and stores”.
@Suite(.timeLimit(.minutes(5))) struct CredentialsAndStoresTests {
    private enum AccountAPI: TargetType {
        case profile

        var baseURL: URL { api }
        var path: String { "/profile" }
    }

    /// A session that the app manages itself.
    private actor Session { var token: String? { "t" } }

    private func configuration(_ mock: MockTransport) -> NetworkConfiguration {
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        return configuration
    }

    private func authorizations(_ mock: MockTransport) -> [String?] {
        mock.requests.map { $0.headers["Authorization"] }
    }

    @Test func `a store in memory has a credential from the start`() async throws {
        // sample
        let store = InMemoryCredentialStore(BearerToken("old", refreshToken: "r"))
        // end
        let mock = MockTransport(ada)
        let accounts: NetworkProvider<AccountAPI> = makeProvider(mock, [TokenRefresher(store: store) { old, _ in old }])
        try await accounts.request(.profile)
        #expect(authorizations(mock) == ["Bearer old"])
    }

    #if canImport(Security)
    private func keychain() -> any CredentialStore<BearerToken> {
        // sample
        let store = KeychainStore<BearerToken>(account: "session")
        // end
        return store
    }
    #endif

    // sample
    actor FileStore: CredentialStore {
        private let file: URL
        init(file: URL) { self.file = file }

        func load() throws -> BearerToken? {
            guard FileManager.default.fileExists(atPath: file.path) else { return nil }
            return try JSONDecoder().decode(BearerToken?.self, from: Data(contentsOf: file))
        }

        func save(_ new: BearerToken?, replacing old: BearerToken?) throws -> Bool {
            guard try load() == old else { return false }
            try JSONEncoder().encode(new).write(to: file, options: .atomic)
            return true
        }
    }
    // end

    @Test func `a store keeps the token for the next start`() async throws {
        let place = try TemporaryFolder()
        let file = place.url.appendingPathComponent("token")
        defer { withExtendedLifetime(place) {} }
        let token = BearerToken("t", expiresIn: .seconds(60), refreshToken: "r")
        let session = TokenRefresher(store: FileStore(file: file)) { old, _ in old }
        try await session.signIn(token)
        #expect(try await FileStore(file: file).load() == token)
        try await session.signOut()
        #expect(try await FileStore(file: file).load() == nil)
    }

    @Test func `passwords are sent to their origins`() async throws {
        let challenge = #"Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256"#
        let mock = MockTransport(.status(204), .status(401, headers: ["WWW-Authenticate": challenge]), .status(204))
        let (configuration, password) = (configuration(mock), "secret")
        // sample
        let basic = BasicAuth(username: "ada", password: password, origins: [api])
        let digest = DigestAuth(username: "ada", password: password, origins: [api])
        // end
        for auth in [basic, digest] as [any RequestInterceptor] {
            try await HTTPClient(baseURL: api, interceptors: [auth], configuration: configuration).send(.get("/"))
        }
        let sent = authorizations(mock).map { $0?.prefix { $0 != " " } }
        #expect(sent == ["Basic", nil, "Digest"])
    }

    @Test func `each origin gets its own secret`() async throws {
        let mock = MockTransport(MockAnswer.status(204).repeating())
        let (configuration, session, key, password) = (configuration(mock), Session(), "k", "secret")
        let (maps, files) = (URL(string: "https://maps.example.com")!, URL(string: "https://files.example.com")!)
        // sample
        let interceptors: [any RequestInterceptor] = [
            TokenSource { await session.token },  // the origin of the base
            APIKeyAuth(key: key, in: .query("key"), origins: [maps]),
            BasicAuth(username: "ada", password: password, origins: [files]),
        ]
        let client = HTTPClient(baseURL: api, interceptors: interceptors, configuration: configuration)
        try await client.send(.get("https://maps.example.com/tile"))  // with the key, without the token
        // end
        try interceptors.validate()
        try await client.send(.get("/me"))
        try await client.send(.get("https://files.example.com/a"))
        #expect(mock.requests.map { $0.url.query } == ["key=k", nil, nil])
        #expect(authorizations(mock).map { $0?.prefix { $0 != " " } } == [nil, "Bearer", "Basic"])
    }

    // sample
    struct DeviceSession: Credential {
        let id: String
        var expiresAt: Date? { nil }

        func apply(to request: inout HTTPRequest) { request.headers["X-Session"] = id }
        func isSetByHand(in request: HTTPRequest) -> Bool { request.headers.contains("X-Session") }
    }
    // end

    @Test func `a credential can have any form`() async throws {
        let mock = MockTransport(.status(204))
        let store = InMemoryCredentialStore(DeviceSession(id: "7"))
        let provider: NetworkProvider<AccountAPI> = makeProvider(mock, [TokenRefresher(store: store) { old, _ in old }])
        try await provider.request(.profile)
        #expect(mock.requests.first?.headers["X-Session"] == "7")
    }
}
