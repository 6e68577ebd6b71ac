import Foundation
import NetworkEngineGraphQL
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Operations with a base URL and headers from the configuration.
@Suite(.timeLimit(.minutes(5))) struct EnvironmentTests {
    private struct Me: Codable, Equatable, Sendable { var name: String }

    @Test func `operations, uploads and subscriptions go to the configuration's base, with its headers`() async throws {
        let mock = MockTransport(
            .json(#"{"data": {"name": "Ada"}}"#), .json(#"{"data": {"name": "Bob"}}"#), .status(204))
        let staging = try #require(URL(string: "https://staging.test/api"))
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        configuration.baseURL = { _ in staging }
        configuration.headers = ["X-Client": "7", "Accept": "text/plain", "Content-Type": "text/plain"]
        let base = try #require(URL(string: "https://api.test"))
        let interceptors = [TokenSource { "t" }]
        let client = GraphQLClient(
            httpClient: HTTPClient(baseURL: base, interceptors: interceptors, configuration: configuration))
        let operation = GraphQLOperation(document: "{ name }")
        let me: Me = try await client.execute(operation)
        let file = GraphQLUpload("variables.file", .data(Data("x".utf8)), fileName: "x.txt")
        let mutation = GraphQLOperation(document: "mutation($file: Upload!) { name }")
        let other: Me = try await client.execute(mutation, uploads: [file])
        for try await _ in client.subscribe(to: operation, as: Me.self) {}
        #expect(me.name == "Ada" && other.name == "Bob" && mock.requests.count == 3)
        for request in mock.requests {
            #expect(request.url.absoluteString == "https://staging.test/api/graphql")
            #expect(request.headers["X-Client"] == "7" && request.headers["Authorization"] == "Bearer t")
            #expect(request.headers["Content-Type"] != "text/plain" && request.headers["Accept"] != "text/plain")
        }
    }
}
