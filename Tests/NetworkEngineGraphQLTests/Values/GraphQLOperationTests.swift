import Foundation
import NetworkEngineGraphQL
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct GraphQLOperationTests {
    private let server = MockTransport(MockAnswer.json(#"{"data": {}}"#).repeating())

    private func sent(_ operation: GraphQLOperation, _ options: GraphQLClientOptions = .init()) async throws
        -> HTTPRequest
    {
        let _: EmptyBody = try await GraphQLClient(server, options).execute(operation)
        return try #require(server.requests.last)
    }

    private func object(_ request: HTTPRequest) throws -> [String: GraphQLVariable] {
        try JSONDecoder().decode([String: GraphQLVariable].self, from: try #require(request.body.data))
    }

    @Test func `an operation is a POST of JSON without nil members`() async throws {
        let request = try await sent(GraphQLOperation(document: "{ a }"))
        #expect(request.method == .post && request.url.absoluteString == "https://api.test/graphql")
        #expect(request.headers["Content-Type"] == "application/json")
        #expect(request.headers["Accept"] == "application/graphql-response+json, application/json;q=0.9")
        #expect(try object(request) == ["query": "{ a }"])
        let full = GraphQLOperation(document: "query A { a }", variables: ["x": nil], operationName: "A")
        #expect(
            try object(await sent(full)) == ["query": "query A { a }", "variables": ["x": nil], "operationName": "A"])
    }

    @Test func `a fragment is used by several operations, and written once in each`() {
        let name = GraphQLFragment("fragment Name on User { name }")
        let user = GraphQLFragment("fragment UserParts on User { ...Name }", fragments: [name])
        let operation = GraphQLOperation(document: "{ me { ...UserParts ...Name } }", fragments: [user, name])
        #expect(
            operation.document
                == "{ me { ...UserParts ...Name } }\nfragment UserParts on User { ...Name }\nfragment Name on User { name }"
        )
    }

    @Test(
        arguments: [
            ("{ a }", nil, HTTPMethod.get), ("query A { a }", nil, .get), ("mutation A { a }", nil, .post),
            ("subscription { a }", nil, .post),
            ("# mutation\nquery A($x: S = \"mutation {\") @d { a(b: \"}\") }", nil, .get),
            ("fragment F on mutation { a } query { ...F }", nil, .get), ("query A { a } mutation B { b }", "B", .post),
            ("mutation B { b } query A { a }", "A", .get), ("query A { a }", "C", .post), ("", nil, .post),
            ("\"\"\" { \"\"\" mutation { a }", nil, .post), ("{ mutation { a } }", nil, .get),
        ] as [(String, String?, HTTPMethod)])
    func `a query can be a GET, and no other operation can`(document: String, name: String?, method: HTTPMethod)
        async throws
    {
        var options = GraphQLClientOptions()
        options.usesGETForQueries = true
        #expect(try await sent(GraphQLOperation(document: document, operationName: name), options).method == method)
    }

    @Test func `a GET has everything in its query`() async throws {
        var options = GraphQLClientOptions()
        options.usesGETForQueries = true
        let operation = GraphQLOperation(document: "query A { a }", variables: ["x": "y&z"], operationName: "A")
        let request = try await sent(operation, options)
        #expect(
            request.url.absoluteString == "https://api.test/graphql?query=query%20A%20%7B%20a%20%7D&operationName=A"
                + "&variables=%7B%22x%22%3A%22y%26z%22%7D")
        #expect(request.body.isAbsent && !request.headers.contains("Content-Type"))
    }
}

extension GraphQLClient {
    /// A client over a mock transport.
    init(_ server: MockTransport, _ options: GraphQLClientOptions = .init(), decoder: JSONDecoder = JSONDecoder()) {
        var configuration = NetworkConfiguration()
        configuration.transport = server
        let base = URL(string: "https://api.test") ?? URL(fileURLWithPath: "/")
        self.init(
            httpClient: HTTPClient(baseURL: base, configuration: configuration), decoder: decoder, options: options)
    }
}
