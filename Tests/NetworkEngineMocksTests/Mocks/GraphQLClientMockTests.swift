import Foundation
import NetworkEngine
import NetworkEngineGraphQL
import NetworkEngineTesting
import Testing

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
