import Foundation
import NetworkEngine
import NetworkEngineGraphQL
import NetworkEngineTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The right-hand sides of “Coming from contract clients”.
@Suite(.timeLimit(.minutes(5))) struct ComingFromContractClientsTests {
    private nonisolated struct Me: Codable, Sendable, Equatable { var name: String }

    // sample
    struct RemoteUsers {
        let client: any HTTPClientContract

        func users(page: Int) async throws(NetworkError) -> [User] {
            let items = [URLQueryItem(name: "page", value: String(page))]
            return try await client.request(Endpoint(path: "/users", queryItems: items))
        }
        func photo() async throws(NetworkError) -> Data { try await client.request(Endpoint(path: "/photo")) }
    }
    // end

    @Test func `the client and its mock`() async throws {
        // sample
        let live = RemoteUsers(client: HTTPClient(baseURL: URL(string: "https://api.example.com/")!))
        let mock = HTTPClientMock(.value([User(id: 7, name: "Ada")]))
        let users = try await RemoteUsers(client: mock).users(page: 2)
        // end
        #expect(users.count == 1 && mock.endpoints.map(\.queryItems) == [[URLQueryItem(name: "page", value: "2")]])
        let client = try #require(live.client as? HTTPClient)
        #expect(try client.urlRequest(for: .get("/users")).url?.absoluteString == "https://api.example.com/users")
    }

    @Test func `errors of the app`() async {
        let client = makeClient(MockTransport(.status(404)))
        var shown = ""
        func show(_ words: String) { shown = words }
        // sample
        let mapped = client.mappingErrors(with: APIErrorMapper())
        do throws(APIError) {
            let _: User = try await mapped.request(.get("/users/7"))
        } catch {
            switch error {
            case .notFound: show("nobody")
            case .serverError(let code): show("\(code)")
            default: show("other")
            }
        }
        // end
        #expect(shown == "nobody")
    }

    @Test func `an operation`() async throws {
        let mock = MockTransport(.json(#"{"data": {"name": "Ada"}}"#))
        let httpClient = makeClient(mock)
        // sample
        let client = GraphQLClient(httpClient: httpClient, path: "/graphql")
        let operation = GraphQLOperation(
            document: "query User($id: ID!, $by: Order) { name }",
            variables: ["id": "7", "by": .enum("NEWEST"), "tags": ["a", nil], "filter": ["minimum": 1.5]],
            operationName: "User")
        let me: Me = try await client.execute(operation)
        // end
        #expect(me.name == "Ada" && mock.requests.map(\.url.path) == ["/graphql"])
    }

    @Test func `errors`() async throws {
        let answer = MockAnswer.json(#"{"data": {"name": "Ada"}, "errors": [{"message": "late", "path": ["a", 0]}]}"#)
        let client = GraphQLClient(httpClient: makeClient(MockTransport(answer)))
        let operation = GraphQLOperation(document: "{ name }")
        var shown: [String] = []
        func show(_ messages: [String], _ part: Me?, _ meaning: APIError) { shown = messages + [part?.name ?? ""] }
        // sample
        do throws(GraphQLError) {
            let _: Me = try await client.execute(operation)
        } catch {
            show(error.messages, error.data(as: Me.self), APIError(error))
        }
        // end
        #expect(shown == ["late", "Ada"])
    }

    @Test func `beyond queries`() async throws {
        let events = "event: next\ndata: {\"data\": {\"name\": \"Bob\"}}\n\nevent: complete\n\n"
        let mock = MockTransport(
            .json(#"{"data": {"name": "Ada"}}"#),
            .status(200, headers: ["Content-Type": "text/event-stream"], body: events))
        let client = GraphQLClient(httpClient: makeClient(mock))
        let photo = Data("pixels".utf8)
        var shown: [String] = []
        func show(_ me: Me) { shown.append(me.name) }
        // sample
        let change = GraphQLOperation(document: "mutation M($photo: Upload!) { name }", variables: ["photo": nil])
        show(try await client.execute(change, uploads: [GraphQLUpload("variables.photo", .data(photo))]))
        let changes = GraphQLOperation(document: "subscription { name }")
        for try await me in client.subscribe(to: changes, as: Me.self) { show(me) }
        // end
        #expect(shown == ["Ada", "Bob"])
    }

    @Test func `the mock`() async throws {
        let operation = GraphQLOperation(document: "{ name }")
        // sample
        let mock = GraphQLClientMock(.failure(NetworkError(kind: .offline)), .value(Me(name: "Ada")))
        // end
        await #expect(throws: GraphQLError.self) { let _: Me = try await mock.execute(operation) }
        #expect(try await (mock.execute(operation) as Me).name == "Ada" && mock.operations == [operation, operation])
    }
}
