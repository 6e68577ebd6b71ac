import Foundation
import NetworkEngine
import NetworkEngineTesting
import Testing

/// The samples of “Secrets and origins”.
@Suite(.timeLimit(.minutes(5))) struct SecretsAndOriginsTests {
    @Test(arguments: [("/login?next=7", 302), ("/home", 204)])
    func `a decision follows some redirects only`(address: String, status: Int) async throws {
        let mock = MockTransport(.redirect(to: address), .status(204))
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        configuration.validation = .anyResponse
        // sample
        configuration.redirects.decision = { response, next in
            next.url.path.hasPrefix("/login") ? nil : next
        }
        // end
        let client = HTTPClient(baseURL: api, configuration: configuration)
        #expect(try await client.send(.get("/me")).statusCode == status)
        #expect(mock.requests.count == (status == 302 ? 1 : 2))
    }

    @Test func `an endpoint follows no redirect`() async throws {
        let client = makeClient(MockTransport(.redirect(to: "https://example.com/a/long/address")))
        // sample
        var link = Endpoint.get("/short/7")
        link.redirects = .never
        link.validation = .statusCodes([302])
        let address = try await client.send(link).headers["Location"]
        // end
        #expect(address == "https://example.com/a/long/address")
    }
}
