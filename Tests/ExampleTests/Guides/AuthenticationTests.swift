import Foundation
import NetworkEngine
import NetworkEngineCache
import NetworkEngineStreams
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

    /// A session that the app manages itself.
    private actor Session {
        var token: String? { "t" }
        func renew() -> Bool { true }
        func end() {}
    }

    private actor Screens { func showSignIn() {} }

    enum NotesAPI: TargetType {
        case all, avatar(Data), changes, report

        var baseURL: URL { api }
        var path: String { "/notes" }
        var method: HTTPMethod { if case .avatar = self { .put } else { .get } }
        var task: NetworkTask {
            switch self {
            case .avatar(let data): .requestData(data)
            case .report: .downloadDestination(.temporary)
            case .all, .changes: .requestPlain
            }
        }
    }

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
        var authorization: AuthorizationRequirement { if case .profile = self { .required } else { .anonymous } }
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
        try await session.signIn(BearerToken("old"))
        let me: User = try await accounts.request(.profile)
        #expect(me.name == "Ada")
        #expect(mock.requests.map(\.url.path) == ["/profile", "/token", "/profile"])
    }

    @Test func `an app has its own rule for the end of a session`() async throws {
        // sample
        var options = RefreshOptions()
        options.isSessionOver = { ($0 as? NetworkError)?.statusCode == 401 }
        // end
        let store = InMemoryCredentialStore(BearerToken("old"))
        let session = TokenRefresher(store: store, options: options) { old, context in
            let tokens: Tokens = try await context.request(AccountAPI.refresh(old.refreshToken ?? ""))
            return tokens.bearer
        }
        let accounts: NetworkProvider<AccountAPI> = makeProvider(MockTransport(.status(401), .status(401)), [session])
        let error = await #expect(throws: NetworkError.self) { try await accounts.request(.profile) }
        #expect(error?.endsSession == true && store.current == nil)
    }

    // sample
    struct API: Sendable {
        let session: TokenRefresher<BearerToken>
        let accounts: NetworkProvider<AccountAPI>
        let notes: any NetworkCalling<NotesAPI, APIError>

        init(store: any CredentialStore<BearerToken>, configuration: NetworkConfiguration) {
            session = TokenRefresher(store: store) { old, context in
                let tokens: Tokens = try await context.request(AccountAPI.refresh(old.refreshToken ?? ""))
                return tokens.bearer
            }
            let interceptors: [any RequestInterceptor] = .recommended(credential: session)
            accounts = NetworkProvider(interceptors: interceptors, configuration: configuration)
            notes = NetworkProvider(interceptors: interceptors, configuration: configuration)
                .mapErrors(with: APIErrorMapper())
        }
    }
    // end

    /// A server that accepts only the new token.
    private func makeAPI(_ answer: MockAnswer) -> (mock: MockTransport, refreshes: MockRule, api: API) {
        let mock = MockTransport()
        let refreshes = mock.on(.post, "/token").answers(tokens.repeating())
        mock.on(headers: ["Authorization": "Bearer new"]).answers(answer.repeating())
        mock.on().answers(.status(401).repeating())
        let store = InMemoryCredentialStore(BearerToken("old"))
        return (mock, refreshes, API(store: store, configuration: configuration(mock)))
    }

    @Test func `a user signs in`() async throws {
        let mock = MockTransport(tokens, ada)
        let store = InMemoryCredentialStore<BearerToken>(nil)
        let api = API(store: store, configuration: configuration(mock))
        let (accounts, session, name, password) = (api.accounts, api.session, "ada", "secret")
        // sample
        let tokens: Tokens = try await accounts.request(.signIn(name: name, password: password))
        try await session.signIn(tokens.bearer)
        // end
        let me: User = try await accounts.request(.profile)
        #expect(me.name == "Ada" && authorizations(mock) == [nil, "Bearer new"] && store.current != nil)
    }

    @Test func `providers of several targets share one refresh`() async throws {
        let (mock, refreshes, api) = makeAPI(ada)
        async let me: User = api.accounts.request(.profile)
        async let note: User = api.notes.request(.all)
        _ = try await (me, note)
        #expect(refreshes.requests.count == 1 && mock.requests.count >= 4)
    }

    @Test func `uploads, downloads and events are refreshed`() async throws {
        let (_, uploads, uploading) = makeAPI(ada)
        let user: User = try await uploading.notes.upload(.avatar(Data("jpeg".utf8)))
        #expect(user.name == "Ada" && uploads.requests.count == 1)
        let (_, downloads, downloading) = makeAPI(.text("report"))
        let file = try await downloading.notes.download(.report)
        #expect(try String(contentsOf: file, encoding: .utf8) == "report" && downloads.requests.count == 1)
        try FileManager.default.removeItem(at: file)
        let (_, connections, following) = makeAPI(.data(Data("data: a\n\n".utf8), type: "text/event-stream"))
        var events = following.notes.events(.changes).makeAsyncIterator()
        let first = try await events.next()
        #expect(first?.data == "a" && connections.requests.count == 1)
    }

    @Test func `a 401 of a target without authorization starts no refresh`() async throws {
        let mock = MockTransport(.status(401))
        let store = InMemoryCredentialStore(BearerToken("old"))
        let api = API(store: store, configuration: configuration(mock))
        let error = await #expect(throws: NetworkError.self) {
            try await api.accounts.request(.signIn(name: "ada", password: "wrong"))
        }
        #expect(error?.kind == .status && error?.statusCode == 401)
        #expect(authorizations(mock) == [nil] && store.current == BearerToken("old"))
    }

    @Test func `the store is empty after the server has ended the session`() async throws {
        let store = InMemoryCredentialStore(BearerToken("t"))
        let session = TokenRefresher(store: store) { _, _ in throw RefreshFailure.sessionExpired }
        let accounts: NetworkProvider<AccountAPI> = makeProvider(MockTransport(.status(401)), [session])
        let error = await #expect(throws: NetworkError.self) { try await accounts.request(.profile) }
        #expect(error?.kind == .authentication && store.current == nil)
    }

    @Test func `a failing store does not keep a user from signing in and out`() async throws {
        struct Full: CredentialStore {
            func load() -> BearerToken? { nil }
            func save(_ new: BearerToken?, replacing old: BearerToken?) throws -> Bool {
                throw CocoaError(.fileNoSuchFile)
            }
        }
        let mock = MockTransport(ada)
        let session = TokenRefresher(store: Full()) { old, _ in old }
        let accounts: NetworkProvider<AccountAPI> = makeProvider(mock, [session])
        await #expect(throws: CocoaError.self) { try await session.signIn(BearerToken("t")) }
        try await accounts.request(.profile)
        #expect(authorizations(mock) == ["Bearer t"])
    }

    @Test func `a sign-out ends a session`() async throws {
        let store: any CredentialStore<BearerToken> = InMemoryCredentialStore(BearerToken("t"))
        let session = TokenRefresher(store: store) { old, _ in old }
        let accounts: NetworkProvider<AccountAPI> = makeProvider(MockTransport(ada), [session])
        try await accounts.request(.profile)
        let cache = ResponseCache()
        // sample
        try await session.signOut()
        await cache.removeAll()
        // end
        // sample
        let isSignedIn = try await session.isSignedIn
        // end
        #expect(!isSignedIn)
        var shown = false
        func showSignIn() { shown = true }
        // sample
        do {
            try await accounts.request(.profile)
        } catch {
            if error.endsSession { showSignIn() }
        }
        // end
        #expect(shown)
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
}
