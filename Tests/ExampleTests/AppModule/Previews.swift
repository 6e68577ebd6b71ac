import Fixtures
import Foundation
import NetworkEngine
import NetworkEngineMocks

extension AppEnvironment {
    /// An environment without a network: every answer is a fixture.
    static var preview: AppEnvironment {
        let fixtures = FixtureLoader.bundle(Fixtures.bundle)
        let server = MockTransport()
        server.on(.get, "**/contacts").answers(.fixture("Contacts", in: fixtures).repeating())
        server.on(.get, "**/contacts/:id").answers(.json(#"{"id": 1, "name": "Ada"}"#).repeating())
        server.on(.post, "**/session").answers(
            .json(#"{"accessToken": "a", "refreshToken": "r", "expiresIn": 3600}"#).repeating())
        var configuration = NetworkConfiguration()
        configuration.transport = server
        return AppEnvironment("https://preview.contacts.example/v2", configuration: configuration)
    }
}
