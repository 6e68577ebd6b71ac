import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineGraphQL
@testable import NetworkEngineTesting

/// Tests subscriptions over server-sent events on real sockets.
@Suite(.timeLimit(.minutes(5))) struct SubscriptionTests {
    private struct Count: Decodable, Equatable, Sendable { var count: Int }
    private let operation = GraphQLOperation(document: "subscription { count }", operationName: "Counting")

    private func client(_ server: LoopbackServer) -> GraphQLClient {
        GraphQLClient(httpClient: HTTPClient(baseURL: server.url))
    }

    private func eventStream(_ text: String) -> LoopbackResponse {
        .data(Data(text.utf8), type: "text/event-stream")
    }

    private func collect(_ subscription: GraphQLSubscription<Count>) async throws -> [Int] {
        var counts: [Int] = []
        for try await value in subscription { counts.append(value.count) }
        return counts
    }

    private func failure(_ answer: LoopbackResponse) async throws -> GraphQLError? {
        let server = try LoopbackServer { _ in answer }
        return await #expect(throws: GraphQLError.self) {
            _ = try await collect(client(server).subscribe(to: operation))
        }
    }

    @Test(arguments: ["event: complete\n\n", "event: complete\ndata:\n\n", "event: complete\ndata: {}\n\n"])
    func `values arrive until the server completes the subscription`(end: String) async throws {
        let values = ":\n\n" + [1, 2].map { "event: next\ndata: {\"data\": {\"count\": \($0)}}\n\n" }.joined()
        let server = try LoopbackServer { _ in eventStream(values + end) }
        #expect(try await collect(client(server).subscribe(to: operation)) == [1, 2])
        let requests = server.requests
        #expect(requests.map(\.method) == [.post] && requests.map(\.path) == ["/graphql"])
        #expect(requests.first?.headers["Accept"] == "text/event-stream")
        #expect(requests.first?.headers["Content-Type"] == "application/json")
        #expect(requests.first?.text == #"{"operationName":"Counting","query":"subscription { count }"}"#)
    }

    @Test func `a value arrives before the next one is sent`() async throws {
        let barrier = LoopbackBarrier()
        let first = "event: next\ndata: {\"data\": {\"count\": 1}}\n\n"
        let text = first + "event: complete\n\n"
        let server = try LoopbackServer { _ in
            eventStream(text).held(by: barrier, at: .responseBody(afterBytes: first.utf8.count))
        }
        var values = client(server).subscribe(to: operation, as: Count.self).makeAsyncIterator()
        #expect(try await values.next() == Count(count: 1))
        barrier.open()
        #expect(try await values.next() == nil)
        #expect(try await values.next() == nil)
    }

    @Test func `a response with errors is thrown with its data, and later ones can be read`() async throws {
        let text = """
            event: next\ndata: {"data": {"count": 1}, "errors": [{"message": "late"}]}\n
            event: next\ndata: no JSON\n\nevent: next\ndata: {"data": {"count": 3}}\n\nevent: complete\n\n
            """
        let server = try LoopbackServer { _ in eventStream(text) }
        var values = client(server).subscribe(to: operation, as: Count.self).makeAsyncIterator()
        var seen: [Result<Count?, GraphQLError>] = []
        for _ in 0..<4 {
            do throws(GraphQLError) {
                seen.append(.success(try await values.next()))
            } catch {
                seen.append(.failure(error))
            }
        }
        #expect(seen[0].failure?.messages == ["late"] && seen[0].failure?.data(as: Count.self) == Count(count: 1))
        #expect(seen[1].failure?.kind == .decodingFailed)
        #expect(seen.dropFirst(2) == [.success(Count(count: 3)), .success(nil)])
    }

    @Test func `responses are available with data and errors`() async throws {
        let text = #"event: next\#ndata: {"errors": [{"message": "bad field"}]}\#n\#nevent: complete\#n\#n"#
        let server = try LoopbackServer { _ in eventStream(text) }
        let subscription: GraphQLSubscription<Count> = client(server).subscribe(to: operation)
        var messages: [String] = []
        for try await response in subscription.responses { messages += response.errors?.map(\.message) ?? [] }
        #expect(messages == ["bad field"])
    }

    @Test func `a connection that ends early is replaced, and the operation subscribes again`() async throws {
        let server = try LoopbackServer()
        server.enqueue(
            eventStream("retry: 1\nid: 7\nevent: next\ndata: {\"data\": {\"count\": 1}}\n\n"),
            eventStream("event: next\ndata: {\"data\": {\"count\": 2}}\n\nevent: complete\n\n"))
        #expect(try await collect(client(server).subscribe(to: operation)) == [1, 2])
        #expect(server.requests.map { $0.headers["Last-Event-ID"] } == [nil, "7"])
        #expect(Set(server.requests.map(\.text)).count == 1)
    }

    @Test func `without other connections, one that ends early is an error and no end`() async throws {
        let server = try LoopbackServer { _ in eventStream("event: next\ndata: {\"data\": {\"count\": 1}}\n\n") }
        var options = GraphQLClientOptions()
        options.reconnectLimit = 0
        let client = GraphQLClient(httpClient: HTTPClient(baseURL: server.url), options: options)
        var iterator = client.subscribe(to: operation, as: Count.self).makeAsyncIterator()
        #expect(try await iterator.next() == Count(count: 1))
        do throws(GraphQLError) {
            _ = try await iterator.next()
            Issue.record("the subscription ended without being completed")
        } catch {
            #expect(error.kind == .network && error.networkError?.kind == .connection)
        }
        #expect(server.requests.count == 1)
    }

    @Test func `breaking out of the loop ends the connection`() async throws {
        let barrier = LoopbackBarrier()
        let first = "event: next\ndata: {\"data\": {\"count\": 1}}\n\n"
        let server = try LoopbackServer { _ in
            eventStream(first + "more").held(by: barrier, at: .responseBody(afterBytes: first.utf8.count))
        }
        for try await value in client(server).subscribe(to: operation, as: Count.self) {
            #expect(value.count == 1)
            break
        }
        _ = try await server.wait { $0.openConnections == 0 }
    }

    @Test(arguments: ["application/json", "application/graphql-response+json"])
    func `the errors of a server that refuses with status 200 are kept`(type: String) async throws {
        let body = #"{"errors": [{"message": "not allowed"}]}"#
        let refused = try await failure(.data(Data(body.utf8), type: type))
        #expect(refused?.kind == .responseErrors && refused?.messages == ["not allowed"])
        let other = try await failure(.text("not a stream"))
        #expect(other?.kind == .network && other?.networkError?.kind == .invalidResponse)
    }

    @Test func `the error of a server that refuses is kept`() async throws {
        let refused = try await failure(.json(#"{"errors": [{"message": "who are you?"}]}"#, status: 401))
        #expect(refused?.kind == .responseErrors && refused?.messages == ["who are you?"])
        #expect(refused?.networkError?.statusCode == 401)
        let missing = try await failure(.status(404))
        #expect(missing?.kind == .network && missing?.networkError?.statusName == .notFound)
        #expect(try await failure(.json("{}"))?.networkError?.kind == .invalidResponse)
    }

    @Test func `no error of a subscription shows the values of variables`() async throws {
        let body = #"{"data":null,"errors":[{"message":"ada@example.com is not allowed"}]}"#
        let operation = GraphQLOperation(
            document: "subscription Counting($email: String) { count(of: $email) }",
            variables: ["email": "ada@example.com"])
        for answer in [eventStream("event: next\ndata: \(body)\n\n"), .json(body), .json(body, status: 403)] {
            let server = try LoopbackServer { _ in answer }
            let error = await #expect(throws: GraphQLError.self) {
                _ = try await collect(client(server).subscribe(to: operation))
            }
            #expect(error?.messages == ["ada@example.com is not allowed"])
            for text in [error?.description ?? "", error?.localizedDescription ?? ""] {
                #expect(text.contains("is not allowed") && !text.contains("ada@example.com"), "\(text)")
            }
        }
    }

    @Test func `an error of the responses shows no values of variables, either`() async throws {
        let server = try LoopbackServer { _ in .json(#"{"errors":[{"message":"ada@example.com is unknown"}]}"#) }
        let operation = GraphQLOperation(
            document: "subscription ($email: String) { count(of: $email) }", variables: ["email": "ada@example.com"])
        let subscription = client(server).subscribe(to: operation, as: Count.self)
        let error = await #expect(throws: GraphQLError.self) { for try await _ in subscription.responses {} }
        let text = error?.localizedDescription ?? ""
        #expect(text.contains("is unknown") && !text.contains("ada@example.com"), "\(text)")
    }

    @Test func `the partial data of a subscription's error is decoded by the client's decoder`() async throws {
        struct Person: Decodable, Sendable { var firstName: String }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let body = #"{"data": {"first_name": "Ada"}, "errors": [{"message": "late"}]}"#
        let server = try LoopbackServer { _ in eventStream("event: next\ndata: \(body)\n\n") }
        let client = GraphQLClient(httpClient: HTTPClient(baseURL: server.url), decoder: decoder)
        let error = await #expect(throws: GraphQLError.self) {
            for try await _ in client.subscribe(to: operation, as: Person.self) {}
        }
        #expect(error?.messages == ["late"] && error?.data(as: Person.self)?.firstName == "Ada")
    }

    @Test func `variables that cannot be encoded fail before I/O`() async throws {
        let server = try LoopbackServer()
        let operation = GraphQLOperation(document: "subscription { a }", variables: ["x": .double(.infinity)])
        let error = await #expect(throws: GraphQLError.self) {
            _ = try await collect(client(server).subscribe(to: operation))
        }
        #expect(error?.kind == .encodingFailed && server.requests.isEmpty)
    }

    @Test func `a mutation cannot be subscribed to, and fails before I/O`() async throws {
        let server = try LoopbackServer { _ in eventStream("event: complete\n\n") }
        let operation = GraphQLOperation(document: "query A { count } mutation B { count }", operationName: "B")
        let error = await #expect(throws: GraphQLError.self) {
            _ = try await collect(client(server).subscribe(to: operation))
        }
        #expect(error?.kind == .encodingFailed && server.requests.isEmpty)
        #expect(error?.networkError?.reason.contains("mutation") == true)
    }

    @Test func `an operation with files cannot be subscribed to, and fails before I/O`() async throws {
        let server = try LoopbackServer { _ in eventStream("event: complete\n\n") }
        var operation = operation
        operation.uploads = [GraphQLUpload("variables.file", .data(Data()))]
        let subscription = client(server).subscribe(to: operation, as: Count.self)
        let error = await #expect(throws: GraphQLError.self) { _ = try await collect(subscription) }
        #expect(error?.kind == .encodingFailed && server.requests.isEmpty)
        #expect(error?.networkError?.reason.contains("files") == true)
    }

    @Test func `the error of any client ends a subscription`() async {
        struct Broken: HTTPClientContract {
            func run<Value: Sendable>(
                _ endpoint: Endpoint, _ decoding: ResponseDecoding<Value>, settings: CallSettings
            ) async throws(NetworkError) -> Value {
                throw NetworkError(kind: .tls)
            }
        }
        let error = await #expect(throws: GraphQLError.self) {
            _ = try await collect(GraphQLClient(httpClient: Broken()).subscribe(to: operation))
        }
        #expect(error?.networkError?.kind == .tls)
    }

    @Test func `a mock delivers values, a failure or scripted events`() async throws {
        let text = "event: next\ndata: {\"data\": {\"count\": 3}}\n\nevent: complete\n\n"
        let mock = GraphQLClientMock(
            .value([Count(count: 1), Count(count: 2)]), .failure(NetworkError(kind: .offline)),
            .response(.status(200, headers: ["Content-Type": "text/event-stream"], body: text)))
        #expect(try await collect(mock.subscribe(to: operation)) == [1, 2])
        let error = await #expect(throws: GraphQLError.self) { _ = try await collect(mock.subscribe(to: operation)) }
        #expect(error?.networkError?.kind == .offline)
        #expect(try await collect(mock.subscribe(to: operation)) == [3])
        #expect(mock.operations.count == 3)
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
