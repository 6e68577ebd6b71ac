import Foundation
import NetworkEngine
import NetworkEngineMocks

extension ContactService {
    /// A service without a network, whose user is signed in.
    static var preview: ContactService {
        ContactService(in: .preview, store: InMemoryCredentialStore(BearerToken("a", refreshToken: "r")))
    }
}

extension AppEnvironment {
    /// An environment without a network: a mock answers every request.
    static var preview: AppEnvironment {
        let server = MockTransport()
        server.on(.get, "**/contacts").answers(
            .json(#"{"contacts": [{"id": 1, "name": "Ada"}, {"id": 2, "name": "Grace"}]}"#).repeating())
        server.on(.get, "**/contacts/:id").answers(.json(#"{"id": 1, "name": "Ada"}"#).repeating())
        server.on(.post, "**/session").answers(
            .json(#"{"accessToken": "a", "refreshToken": "r", "expiresIn": 3600}"#).repeating())
        var configuration = NetworkConfiguration()
        configuration.transport = server
        return AppEnvironment("https://preview.contacts.example/v2", configuration: configuration)
    }
}
