import Foundation
import NetworkEngineGraphQL
import Testing

@testable import NetworkEngine

/// Tests the client against an independent server.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: GraphQLServer.isInstalled, "ariadne is not installed: .ci/run installs it")
)
struct RealServerTests {
    private struct User: Decodable, Equatable, Sendable { var id: String, name: String? }
    private struct Answer: Decodable, Equatable, Sendable { var user: User?, users: [User]? }

    private func client(_ server: GraphQLServer, _ options: GraphQLClientOptions = .init()) -> GraphQLClient {
        GraphQLClient(httpClient: HTTPClient(baseURL: server.url), path: "/", options: options)
    }

    @Test(arguments: [false, true]) func `a server answers a query with variables of every kind`(usesGET: Bool)
        async throws
    {
        let server = try await GraphQLServer()
        var options = GraphQLClientOptions()
        options.usesGETForQueries = usesGET
        let parts = GraphQLFragment("fragment Parts on User { id name }")
        let operation = GraphQLOperation(
            document: """
                query Some($id: ID!, $filter: Filter, $order: Order) {
                  user(id: $id) { ...Parts } users(filter: $filter, order: $order) { ...Parts }
                }
                """,
            variables: [
                "id": 1, "order": .enum("NEWEST"),
                "filter": ["name": nil, "minimum": 1.5, "tags": ["a", "b"]],
            ],
            operationName: "Some",
            fragments: [parts]
        )
        let answer: Answer = try await client(server, options).execute(operation)
        let (ada, grace) = (User(id: "1", name: "Ada"), User(id: "2", name: "Grace"))
        #expect(answer == Answer(user: ada, users: [grace, ada]))
    }

    @Test func `a server gets the files of an operation`() async throws {
        struct Read: Decodable, Equatable, Sendable { var read: [String] }
        let server = try await GraphQLServer()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID().uuidString).txt")
        try Data("from a file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let operation = GraphQLOperation(
            document: "mutation Read($files: [Upload!]!) { read(files: $files) }",
            variables: ["files": [nil, nil]]
        )
        let uploads = [
            GraphQLUpload("variables.files.0", .data(Data("from memory ü".utf8)), fileName: "a.txt"),
            GraphQLUpload("variables.files.1", .file(file)),
        ]
        let answer: Read = try await client(server).execute(operation, uploads: uploads)
        #expect(answer.read == ["a.txt: from memory ü", "\(file.lastPathComponent): from a file"])
    }

    @Test func `a server answers a mutation, partial data and an invalid document`() async throws {
        let server = try await GraphQLServer()
        let client = client(server)
        let rename = GraphQLOperation(document: #"mutation { user: rename(id: 1, name: "A \"q\" ü") { id name } }"#)
        #expect(try await (client.execute(rename) as Answer).user?.name == #"A "q" ü"#)
        let broken = GraphQLOperation(document: "{ user(id: 1) { id broken } }")
        let partial = await #expect(throws: GraphQLError.self) { let _: Answer = try await client.execute(broken) }
        #expect(partial?.errors.first?.path == ["user", "broken"])
        #expect(partial?.data(as: Answer.self)?.user == User(id: "1", name: nil))
        let refused = await #expect(throws: GraphQLError.self) {
            let _: Answer = try await client.execute(GraphQLOperation(document: "{ nope }"))
        }
        #expect(refused?.kind == .responseErrors && refused?.errors.first?.locations?.first?.line == 1)
    }
}
