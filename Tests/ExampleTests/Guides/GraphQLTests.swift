import Foundation
import NetworkEngine
import NetworkEngineGraphQL
import NetworkEngineGraphQLSocket
import NetworkEngineTesting
import NetworkEngineWebSocket
import TestSupport
import Testing

// sample
nonisolated struct UserResult: Decodable, Sendable, Equatable {
    nonisolated struct Person: Decodable, Sendable, Equatable { var name: String }
    var user: Person?
}
// end

/// The samples of “GraphQL operations”.
@Suite(.timeLimit(.minutes(5))) struct GraphQLTests {
    private let adaData = MockAnswer.json(#"{"data": {"user": {"name": "Ada"}}}"#)

    private func graph(_ answers: MockAnswer...) -> (MockTransport, HTTPClient) {
        let mock = MockTransport()
        mock.on().answers(answers)
        return (mock, makeClient(mock))
    }

    private func body(_ request: HTTPRequest?) -> [String: GraphQLVariable] {
        guard case .data(let data)? = request?.body else { return [:] }
        return (try? JSONDecoder().decode([String: GraphQLVariable].self, from: data)) ?? [:]
    }

    @Test func `an operation has variables and a typed result`() async throws {
        let (mock, httpClient) = graph(adaData)
        // sample
        let client = GraphQLClient(httpClient: httpClient)  // POST /graphql
        let operation = GraphQLOperation(
            document: "query User($id: ID!) { user(id: $id) { name } }",
            variables: ["id": "7"])
        let result: UserResult = try await client.execute(operation)
        // end
        #expect(result.user?.name == "Ada" && mock.requests.map(\.url.path) == ["/graphql"])
    }

    @Test func `variables are literals or encodable values`() async throws {
        let (mock, httpClient) = graph(adaData)
        let client = GraphQLClient(httpClient: httpClient)
        let (document, draft) = ("query Find($order: Order) { user { name } }", Draft(name: "Ada"))
        // sample
        let variables: [String: GraphQLVariable] = [
            "order": .enum("NEWEST"),
            "tags": ["a", nil],
            "filter": ["minimum": 1.5, "isNew": true],
            "draft": try GraphQLVariable(encoding: draft),
        ]
        let operation = GraphQLOperation(document: document, variables: variables, operationName: "Find")
        // end
        let _: UserResult = try await client.execute(operation)
        guard case .object(let sent)? = body(mock.requests.first)["variables"] else { throw CancellationError() }
        #expect(sent["order"] == .string("NEWEST") && sent["draft"] == .object(["name": .string("Ada")]))
    }

    @Test func `a fragment is shared`() async throws {
        let (mock, httpClient) = graph(adaData)
        // sample
        let userParts = GraphQLFragment("fragment UserParts on User { name }")
        let operation = GraphQLOperation(document: "query { user { ...UserParts } }", fragments: [userParts])
        // end
        let _: UserResult = try await GraphQLClient(httpClient: httpClient).execute(operation)
        guard case .string(let text)? = body(mock.requests.first)["query"] else { throw CancellationError() }
        #expect(text.contains("...UserParts") && text.contains("fragment UserParts"))
    }

    @Test func `an error keeps the partial data`() async throws {
        let answer = #"{"data": {"user": {"name": "Ada"}}, "errors": [{"message": "late", "path": ["user", 0]}]}"#
        let client = GraphQLClient(httpClient: graph(.json(answer)).1)
        let operation = GraphQLOperation(document: "{ user { name } }")
        var shown: [String] = []
        func show(_ texts: [String]) { shown += texts }
        // sample
        do {
            let result: UserResult = try await client.execute(operation)
            show([result.user?.name ?? ""])
        } catch {
            switch error.kind {
            case .responseErrors: show(error.messages + [error.data(as: UserResult.self)?.user?.name ?? ""])
            case .network: show([error.networkError?.localizedDescription ?? ""])
            default: show([error.localizedDescription])
            }
        }
        // end
        #expect(shown == ["late", "Ada"])
    }

    @Test func `a response has data and errors`() async throws {
        let answer = #"{"data": {"user": {"name": "Ada"}}, "errors": [{"message": "late"}], "extensions": {"cost": 3}}"#
        let client = GraphQLClient(httpClient: graph(.json(answer)).1)
        let operation = GraphQLOperation(document: "{ user { name } }")
        // sample
        let response: GraphQLResponse<UserResult> = try await client.response(to: operation)
        let (result, errors, cost) = (response.data, response.errors ?? [], response.extensions?["cost"])
        // end
        #expect(result?.user?.name == "Ada" && errors.map(\.message) == ["late"] && cost == 3)
    }

    @Test func `files are sent with a mutation`() async throws {
        let (mock, httpClient) = graph(adaData)
        let client = GraphQLClient(httpClient: httpClient)
        let photo = Data("pixels".utf8)
        // sample
        let change = GraphQLOperation(
            document: "mutation SetPhoto($photo: Upload!) { user: setPhoto(photo: $photo) { name } }")
        let upload = GraphQLUpload("variables.photo", .data(photo), fileName: "photo.png")
        let result: UserResult = try await client.execute(change, uploads: [upload])
        // end
        #expect(result.user?.name == "Ada")
        #expect(mock.requests.first?.headers["Content-Type"]?.hasPrefix("multipart/form-data") == true)
    }

    @Test func `a subscription is a loop`() async throws {
        let events = "event: next\ndata: {\"data\": {\"user\": {\"name\": \"Bob\"}}}\n\nevent: complete\n\n"
        let stream = MockAnswer.status(200, headers: ["Content-Type": "text/event-stream"], body: events)
        let client = GraphQLClient(httpClient: graph(stream).1)
        var shown: [UserResult.Person?] = []
        func show(_ person: UserResult.Person?) { shown.append(person) }
        // sample
        let added = GraphQLOperation(document: "subscription { user: userAdded { name } }")
        for try await result in client.subscribe(to: added, as: UserResult.self) { show(result.user) }
        // end
        #expect(shown == [UserResult.Person(name: "Bob")])
    }

    private struct Session { func token() async throws -> String { "secret" } }

    /// Answers the first subscription, and rejects the second connection.
    private func subscriptions() -> MockTransport {
        let mock = MockTransport()
        mock.on().answers([
            .webSocket(protocol: "graphql-transport-ws") { socket in
                var messages = socket.messages.makeAsyncIterator()
                let payload = try await messages.next()?.text ?? ""
                guard payload == #"{"type":"connection_init","payload":{"token":"secret"}}"# else { return }
                try await socket.send(.text(#"{"type":"connection_ack"}"#))
                _ = try await messages.next()
                let body = #"{"id":"1","type":"next","payload":{"data":{"user":{"name":"Bob"}}}}"#
                try await socket.send(.text(body))
                try await socket.send(.text(#"{"id":"1","type":"complete"}"#))
                while try await messages.next() != nil {}
            },
            .webSocket(protocol: "graphql-transport-ws") { await $0.close(code: 4403) },
        ])
        return mock
    }

    @Test func `subscriptions share a WebSocket`() async throws {
        let (session, httpClient) = (Session(), makeClient(subscriptions()))
        // sample
        var options = GraphQLSocketOptions()
        options.payload = { ["token": .string(try await session.token())] }
        let client = GraphQLClient(httpClient: httpClient, subscriptions: .webSocket(options))
        // end
        var shown: [UserResult.Person?] = []
        func show(_ person: UserResult.Person?) { shown.append(person) }
        let added = GraphQLOperation(document: "subscription { user: userAdded { name } }")
        for try await result in client.subscribe(to: added, as: UserResult.self) { show(result.user) }
        #expect(shown == [UserResult.Person(name: "Bob")])
        var signIns = 0
        func signIn() { signIns += 1 }
        do {
            for try await _ in client.subscribe(to: added, as: UserResult.self) {}
        } catch {
            // sample
            if let close = error.networkError?.underlying as? WebSocketClose, close.code == 4403 { signIn() }
            // end
        }
        #expect(signIns == 1)
    }

    @Test func `queries are sent with GET and by their hash`() async throws {
        let (mock, httpClient) = graph(adaData)
        // sample
        var options = GraphQLClientOptions()
        options.usesGETForQueries = true  // caches store the responses
        options.persistsQueries = true  // the hash first, the text only if the server asks
        let client = GraphQLClient(httpClient: httpClient, options: options)
        // end
        let _: UserResult = try await client.execute(GraphQLOperation(document: "{ user { name } }"))
        #expect(mock.requests.map(\.method) == [.get])
        #expect(mock.requests.first?.url.query?.contains("sha256Hash") == true)
    }

    @Test func `a model takes a contract, and a test gives it a mock`() async throws {
        let operation = GraphQLOperation(document: "{ user { name } }")
        // sample
        let client: any GraphQLClientContract = GraphQLClientMock(
            .data(#"{"user": {"name": "Ada"}}"#), .errors(GraphQLResponseError(message: "late")), .failure(.offline))
        let result: UserResult = try await client.execute(operation)
        // end
        #expect(result.user?.name == "Ada")
        for kind in [GraphQLError.Kind.responseErrors, .network] {
            let error = await #expect(throws: GraphQLError.self) {
                let _: UserResult = try await client.execute(operation)
            }
            #expect(error?.kind == kind)
        }
    }
}
