import Foundation
import NetworkEngine
import NetworkEngineCookies
import NetworkEngineTesting
import TestSupport
import Testing

/// The samples of “Cookies”.
@Suite(.timeLimit(.minutes(5))) struct CookiesTests {
    @Test func `a jar is kept in memory or in a file`() async throws {
        let place = try TemporaryFolder()
        let folder = place.url
        defer { withExtendedLifetime(place) {} }
        let mock = MockTransport(.status(204, headers: ["Set-Cookie": "a=b"]), .status(204))
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        // sample
        configuration.cookies = CookieJar()  // in memory
        configuration.cookies = try CookieJar(file: folder.appendingPathComponent("cookies"))
        // end
        let client = HTTPClient(baseURL: api, configuration: configuration)
        for _ in 1...2 { try await client.send(.get("/")) }
        #expect(mock.requests.map { $0.headers["Cookie"] } == [nil, "a=b"])
    }

    @Test func `a jar loses its cookies at a sign-out`() async throws {
        let mock = MockTransport(.status(204, headers: ["Set-Cookie": "a=b"]), .status(204))
        let cookies = CookieJar()
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.cookies) = (mock, cookies)
        let client = HTTPClient(baseURL: api, configuration: configuration)
        try await client.send(.get("/"))
        // sample
        cookies.removeAll()
        // end
        try await client.send(.get("/"))
        #expect(mock.requests.map { $0.headers["Cookie"] } == [nil, nil])
    }
}
