import Foundation
import NetworkEngine
import NetworkEngineCurl
import NetworkEngineResilience
import NetworkEngineTesting
import TestSupport
import Testing

/// The samples of “Credentials of a service”.
@Suite(.timeLimit(.minutes(5))) struct CredentialsOfAServiceTests {
    private nonisolated static let issuer = URL(string: "https://auth.example.com")!

    private enum UserAPI: TargetType {
        case user(Int)

        var baseURL: URL { api }
        var path: String { "/users/7" }
    }

    // sample
    nonisolated struct ServiceToken: Decodable, Sendable {
        enum CodingKeys: String, CodingKey { case token = "access_token", life = "expires_in" }

        var token: String
        var life: Int

        var bearer: BearerToken { BearerToken(token, expiresIn: .seconds(life)) }
    }
    // end

    // sample
    enum TokenAPI: TargetType {
        case clientCredentials(id: String, secret: String)

        var baseURL: URL { issuer }
        var path: String { "/oauth2/token" }
        var method: HTTPMethod { .post }
        var task: NetworkTask {
            switch self {
            case .clientCredentials(let id, let secret):
                .requestParameters(
                    parameters: ["grant_type": "client_credentials", "client_id": id, "client_secret": secret],
                    encoding: .formBody)
            }
        }
        var authorization: AuthorizationRequirement { .anonymous }
    }
    // end

    private func makeUsers(_ mock: MockTransport) -> NetworkProvider<UserAPI> {
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        let (id, secret) = ("service", "s3cret")
        // sample
        let tokens = TokenRefresher { context in
            let answer: ServiceToken = try await context.request(TokenAPI.clientCredentials(id: id, secret: secret))
            return answer.bearer
        }
        let users = NetworkProvider<UserAPI>(interceptors: .service(credential: tokens), configuration: configuration)
        // end
        return users
    }

    private let token = MockAnswer.json(#"{"access_token": "t", "expires_in": 3600}"#)

    @Test func `a service obtains its token with the first call`() async throws {
        let mock = MockTransport()
        let endpoint = mock.on(.post, "https://auth.example.com/oauth2/token").answers(token)
        mock.on(.get, headers: ["Authorization": "Bearer t"]).answers(ada.repeating())
        let users = makeUsers(mock)
        for _ in 1...3 {
            let user: User = try await users.request(.user(7))
            #expect(user.name == "Ada")
        }
        let form = endpoint.requests.first?.body.data.map { String(decoding: $0, as: UTF8.self) } ?? ""
        #expect(form.contains("grant_type=client_credentials") && form.contains("client_secret=s3cret"))
        #expect(endpoint.requests.count == 1 && endpoint.requests.first?.headers["Authorization"] == nil)
    }

    @Test func `a certificate replaces the secret`() {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("missing")
        let (certificate, key) = (folder.appendingPathComponent("a.pem"), folder.appendingPathComponent("b.pem"))
        var configuration = NetworkConfiguration()
        func configure() throws {
            // sample
            var tls = TLSPolicy()
            tls.clientCertificate = .pem(certificate: certificate, key: key)
            tls.clientCertificateHosts = ["auth.example.com"]
            var curl = CurlConfiguration()
            curl.tls = tls
            let transport = CurlTransport(configuration: curl)
            try transport.validate()  // throws for a file that is missing
            configuration.transport = transport
            // end
        }
        #expect(throws: NetworkError.self) { try configure() }
    }

    @Test func `a refusal of the token endpoint signs no service out`() async throws {
        let mock = MockTransport()
        mock.on(.post, "https://auth.example.com/oauth2/token")
            .answers(.status(401), .json(#"{"error": "invalid_client"}"#, status: 401), token)
        mock.on(.get).answers(ada.repeating())
        let users = makeUsers(mock)
        var logged: [String] = []
        func log(_ line: String) { logged.append(line) }
        func call() async throws {
            // sample
            do {
                try await users.request(.user(7))
            } catch {
                if case .failed(let refusal as NetworkError)? = error.underlying as? RefreshFailure {
                    log("token endpoint: \(refusal)")
                }
                throw error
            }
            // end
        }
        let error = await #expect(throws: NetworkError.self) { try await call() }
        #expect(error?.kind == .authentication && error?.endsSession == false)
        #expect(logged.count == 1 && logged[0].contains("401") && !logged[0].contains("s3cret"))
    }

    @Test func `a service can keep a credential that the server ends`() async {
        // sample
        var options = RefreshOptions()
        options.isSessionOver = { _ in false }
        // end
        let store = InMemoryCredentialStore(BearerToken("old"))
        let tokens = TokenRefresher(store: store, options: options) { _, context in
            let answer: ServiceToken = try await context.request(TokenAPI.clientCredentials(id: "", secret: ""))
            return answer.bearer
        }
        let mock = MockTransport(.status(401), .json(#"{"error": "invalid_grant"}"#, status: 400))
        let users: NetworkProvider<UserAPI> = makeProvider(mock, [tokens])
        let error = await #expect(throws: NetworkError.self) { try await users.request(.user(7)) }
        #expect(error?.endsSession == false && store.current != nil)
    }
}
