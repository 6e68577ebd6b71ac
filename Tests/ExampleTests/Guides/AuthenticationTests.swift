import Foundation
import NetworkEngine
import NetworkEngineTesting
import TestSupport
import Testing

/// The samples of “Authentication”.
@Suite(.timeLimit(.minutes(5))) struct AuthenticationTests {
    private let tokens = MockAnswer.json(#"{"access": "new", "refresh": "r2", "expiresIn": 3600}"#)

    private func configuration(_ mock: MockTransport) -> NetworkConfiguration {
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        return configuration
    }

    private func authorizations(_ mock: MockTransport) -> [String?] {
        mock.requests.map { $0.headers["Authorization"] }
    }

    /// A session that the app keeps itself.
    private actor Session {
        var token: String? { "t" }
        func renew() -> Bool { true }
        func end() {}
    }

    private actor Screens { func showSignIn() {} }

    @Test func `a token comes from a closure`() async throws {
        let mock = MockTransport(ada)
        let (configuration, session) = (configuration(mock), Session())
        // sample
        let source = TokenSource { await session.token }  // Authorization: Bearer …
        let client = HTTPClient(baseURL: api, interceptors: [source], configuration: configuration)
        let me: User = try await client.request(.get("/me"))
        // end
        #expect(me.name == "Ada" && authorizations(mock) == ["Bearer t"])
    }

    // sample
    nonisolated struct Tokens: Decodable, Sendable {
        var access: String
        var refresh: String
        var expiresIn: Int

        var bearer: BearerToken { BearerToken(access, expiresIn: .seconds(expiresIn), refreshToken: refresh) }
    }
    // end

    // sample
    enum AccountAPI: TargetType {
        case signIn(name: String, password: String), refresh(String), profile

        var baseURL: URL { api }
        var path: String { if case .profile = self { "/profile" } else { "/token" } }
        var method: HTTPMethod { if case .profile = self { .get } else { .post } }
        var task: NetworkTask {
            switch self {
            case .signIn(let name, let password): .requestJSONEncodable(["name": name, "password": password])
            case .refresh(let token): .requestJSONEncodable(["refresh": token])
            case .profile: .requestPlain
            }
        }
        var authorization: AuthorizationRequirement { if case .profile = self { .required } else { .none } }
    }
    // end

    @Test func `a refresher renews a token that is rejected`() async throws {
        let mock = MockTransport()
        mock.on(.post, "/token").answers(tokens.repeating())
        mock.on(.get, "/profile").answers(.status(401), ada.repeating())
        let configuration = configuration(mock)
        let screens = Screens()
        // sample
        let session = TokenRefresher(store: InMemoryCredentialStore<BearerToken>(nil)) { old, context in
            let tokens: Tokens = try await context.request(AccountAPI.refresh(old.refreshToken ?? ""))
            return tokens.bearer
        } onSessionExpired: {
            await screens.showSignIn()
        }
        let accounts = NetworkProvider<AccountAPI>(
            interceptors: .recommended(credential: session), configuration: configuration)
        // end
        let (name, password) = ("ada", "secret")
        // sample
        let tokens: Tokens = try await accounts.request(.signIn(name: name, password: password))
        try await session.signIn(tokens.bearer)
        // end
        let me: User = try await accounts.request(.profile)
        #expect(me.name == "Ada")
        #expect(mock.requests.map(\.url.path) == ["/token", "/profile", "/token", "/profile"])
    }

    @Test func `a sign-out ends a session`() async throws {
        let store = InMemoryCredentialStore(BearerToken("t"))
        let session = TokenRefresher(store: store) { old, _ in old }
        let accounts: NetworkProvider<AccountAPI> = makeProvider(MockTransport(ada), [session])
        try await accounts.request(.profile)
        let cache = ResponseCache()
        // sample
        try await session.signOut()
        await cache.removeAll()
        // end
        #expect(store.current == nil)
        var shown = false
        func showSignIn() { shown = true }
        // sample
        do {
            try await accounts.request(.profile)
        } catch {
            if error.kind == .authentication { showSignIn() }
        }
        // end
        #expect(shown)
    }

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

    @Test func `closures serve a session that the app keeps`() async throws {
        let mock = MockTransport(.status(401), ada)
        let (configuration, session) = (configuration(mock), Session())
        // sample
        let interceptor = DefaultInterceptor(
            refreshToken: { await session.renew() },  // whether the session is valid again
            token: { await session.token },  // omit it if the session is a cookie
            onSessionExpired: { await session.end() })
        let provider = NetworkProvider<AccountAPI>(interceptor: interceptor, configuration: configuration)
        // end
        let me: User = try await provider.request(.profile)
        #expect(me.name == "Ada" && authorizations(mock) == ["Bearer t", "Bearer t"])
    }

    private nonisolated static let mock = MockTransport(
        .status(401), .json(#"{"access": "new", "refresh": "r2", "expiresIn": 3600}"#), ada)
    private nonisolated static let overTheWire: NetworkConfiguration = {
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        return configuration
    }()
    private nonisolated static let store = InMemoryCredentialStore(BearerToken("old", refreshToken: "r"))

    // sample
    enum Accounts {
        static let session = TokenRefresher(store: store) { old, _ in
            let tokens: Tokens = try await provider.request(.refresh(old.refreshToken ?? ""))
            return tokens.bearer
        }
        static let provider: NetworkProvider<AccountAPI> = NetworkProvider(
            interceptors: [session], configuration: overTheWire)
    }
    // end

    @Test func `a refresh can use the provider that waits for it`() async throws {
        let me: User = try await Accounts.provider.request(.profile)
        #expect(me.name == "Ada" && authorizations(Self.mock) == ["Bearer old", nil, "Bearer new"])
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
