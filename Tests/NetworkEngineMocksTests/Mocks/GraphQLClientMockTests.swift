import Foundation
import NetworkEngineGraphQL
import NetworkEngineMocks
import TestSupport
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct GraphQLClientMockTests {
    private struct Me: Decodable, Equatable, Sendable { var name: String }
    private let operation = GraphQLOperation(document: "{ name }", operationName: "Me")

    @Test func `a mock gives its answers in order, then the default one, and records operations`() async throws {
        let client = GraphQLClientMock(
            .response(.json(#"{"errors": [{"message": "no"}]}"#)), .failure(NetworkError(kind: .offline)))
        client.answer = .value(Me(name: "Ada"))
        var kinds: [GraphQLError.Kind?] = []
        for _ in 1...2 {
            let error = await #expect(throws: GraphQLError.self) { let _: Me = try await client.execute(operation) }
            kinds.append(error?.kind)
        }
        #expect(kinds == [.responseErrors, .network])
        #expect(try await client.execute(operation) == Me(name: "Ada"))
        let response: GraphQLResponse<Me> = try await client.response(to: operation)
        #expect(response.data == Me(name: "Ada") && client.operations == Array(repeating: operation, count: 4))
        client.reset()
        #expect(client.operations.isEmpty && client.answer == nil)
    }

    @Test func `a call without an answer or with one of another type fails with a reason`() async {
        let client = GraphQLClientMock(.value(7))
        for reason in [
            "the mock client has a Int, and Me was asked for", #"the mock client has no answer for "Me""#,
        ] {
            let error = await #expect(throws: GraphQLError.self) { let _: Me = try await client.execute(operation) }
            #expect(error?.networkError?.reason == reason)
        }
    }

    /// The result of each of the three kinds of calls: the name, or the error.
    private func names(_ answer: GraphQLAnswer) async throws -> [Result<String?, GraphQLError>] {
        let client = GraphQLClientMock(otherwise: answer)
        func name(_ call: () async throws -> Me?) async throws -> Result<String?, GraphQLError> {
            do {
                return .success(try await call()?.name)
            } catch let error as GraphQLError {
                return .failure(error)
            }
        }
        return [
            try await name { try await client.execute(operation) as Me },
            try await name { (try await client.response(to: operation) as GraphQLResponse<Me>).data },
            try await name {
                var subscription = client.subscribe(to: operation, as: Me.self).makeAsyncIterator()
                return try await subscription.next()
            },
        ]
    }

    @Test(
        arguments: [
            GraphQLAnswer.value(Me(name: "Ada")), .data(#"{"name": "Ada"}"#), .data("{\n  \"name\":\r\n\"Ada\"\n\n}\n"),
            .data(Data(#"{"name": "Ada"}"#.utf8)), .value(Data(#"{"name": "Ada"}"#.utf8)),
        ])
    func `the data alone is an answer to every kind of call`(answer: GraphQLAnswer) async throws {
        #expect(try await names(answer) == Array(repeating: .success("Ada"), count: 3))
    }

    @Test func `a GraphQL error is thrown unchanged by every kind of call`() async throws {
        let error = GraphQLError(kind: .responseErrors, errors: [GraphQLResponseError(message: "no")])
        #expect(try await names(.failure(error)) == Array(repeating: .failure(error), count: 3))
    }

    @Test func `a failure of the transport is the cause of a network error`() async throws {
        let error = await #expect(throws: GraphQLError.self) {
            let _: Me = try await GraphQLClientMock(.failure(.dns)).execute(operation)
        }
        #expect(error?.kind == .network && error?.networkError?.transportFailure == .dns)
    }

    @Test func `errors of the server keep the partial data`() async throws {
        let refusal = GraphQLResponseError(message: "no", path: ["me", 0], extensions: ["code": "DENIED"])
        let client = GraphQLClientMock(otherwise: .errors(refusal, data: #"{"name": "Ada"}"#))
        let error = await #expect(throws: GraphQLError.self) { let _: Me = try await client.execute(operation) }
        #expect(error?.kind == .responseErrors && error?.errors == [refusal] && error?.data() == Me(name: "Ada"))
        let response: GraphQLResponse<Me> = try await client.response(to: operation)
        #expect(response.errors == [refusal] && response.data == Me(name: "Ada"))
        client.answer = .errors(refusal)
        let none: GraphQLResponse<Me> = try await client.response(to: operation)
        #expect(none.errors == [refusal] && none.data == nil)
    }

    @Test func `data that is not JSON or of another shape cannot be decoded`() async throws {
        for json in ["{", #"{"name": 7}"#] {
            let error = await #expect(throws: GraphQLError.self) {
                let _: Me = try await GraphQLClientMock(.data(json)).execute(operation)
            }
            #expect(error?.kind == .decodingFailed)
        }
    }

    @Test func `the decoder of a mock decodes its data`() async throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        struct Person: Decodable, Equatable, Sendable { var firstName: String }
        let client = GraphQLClientMock(.data(#"{"first_name": "Ada"}"#), decoder: decoder)
        #expect(try await client.execute(operation) == Person(firstName: "Ada"))
    }

    @Test func `the data can be a fixture with placeholders, and a missing one is named`() async throws {
        let folder = try TemporaryFolder(["Me.json": #"{"name": "{{name}}"}"#])
        let loader = FixtureLoader.folder(folder.url)
        let client = GraphQLClientMock(
            .data(fixture: "Me", in: loader, values: ["name": "Ada"]), .data(fixture: "You", in: loader))
        #expect(try await client.execute(operation) == Me(name: "Ada"))
        let error = await #expect(throws: GraphQLError.self) { let _: Me = try await client.execute(operation) }
        #expect(error?.networkError?.reason.hasPrefix("fixture You: not found in ") == true)
    }

    @Test func `a silent client succeeds without content`() async throws {
        let client = GraphQLClientMock(otherwise: .empty)
        struct Settings: Decodable, Sendable { var theme: String? }
        let settings: Settings = try await client.execute(operation)
        let response: GraphQLResponse<Me> = try await client.response(to: operation)
        try await client.execute(operation)
        #expect(settings.theme == nil && response.data == nil && response.errors == nil)
        for try await value in client.subscribe(to: operation, as: Me.self) { Issue.record("\(value)") }
        let error = await #expect(throws: GraphQLError.self) { let _: Me = try await client.execute(operation) }
        #expect(error?.kind == .decodingFailed && client.operations.count == 5)
    }

    @Test func `a subscription takes its answer when its first value is requested`() async throws {
        let client = GraphQLClientMock(.value(Me(name: "first")), .value(Me(name: "second")))
        var (one, two) = (
            client.subscribe(to: operation, as: Me.self).makeAsyncIterator(),
            client.subscribe(to: operation, as: Me.self).makeAsyncIterator()
        )
        #expect(client.operations.isEmpty)
        let names = [try await two.next()?.name, try await one.next()?.name, try await one.next()?.name]
        #expect(names == ["first", "second", nil] && client.operations.count == 2)
    }

    @Test func `a thousand concurrent operations each get their own answer`() async throws {
        let client = GraphQLClientMock()
        for number in 0..<1_000 { client.answers(.value(Me(name: "\(number)")).delayed(by: .microseconds(1))) }
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<1_000 { group.addTask { (try await client.execute(operation) as Me).name } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(names.count == 1_000 && client.operations.count == 1_000)
    }
}
