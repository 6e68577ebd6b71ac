import Foundation
import NetworkEngine
import NetworkEngineGraphQL
import NetworkEngineTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct PersistedQueryTests {
    private struct Me: Decodable, Equatable, Sendable { var name: String }
    private let hash = "ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38"

    /// What was sent for an operation, in words.
    private func sent(_ answers: MockAnswer..., usesGET: Bool = false) async throws -> [String] {
        let mock = MockTransport()
        mock.on().answers(answers)
        var options = GraphQLClientOptions()
        (options.persistsQueries, options.usesGETForQueries) = (true, usesGET)
        let operation = GraphQLOperation(document: "{__typename}")
        #expect(try await GraphQLClient(mock, options).execute(operation) == Me(name: "Ada"))
        try mock.checkAllUsed()
        return mock.requests.map { request in
            let text =
                request.body.data.map { String(decoding: $0, as: UTF8.self) } ?? request.url.absoluteString
                .removingPercentEncoding ?? ""
            let parts = ["query", "sha256Hash"].filter { text.contains($0 == "query" ? "{__typename}" : hash) }
            return ([request.method.rawValue] + parts).joined(separator: " ")
        }
    }

    private static let success = MockAnswer.json(#"{"data": {"name": "Ada"}}"#)

    @Test func `the hash is enough when the server knows it`() async throws {
        #expect(try await sent(Self.success) == ["POST sha256Hash"])
        #expect(try await sent(Self.success, usesGET: true) == ["GET sha256Hash"])
    }

    @Test(
        arguments: [
            (#"{"errors": [{"message": "PersistedQueryNotFound"}]}"#, "POST query sha256Hash"),
            (
                #"{"errors": [{"message": "?", "extensions": {"code": "PERSISTED_QUERY_NOT_FOUND"}}]}"#,
                "POST query sha256Hash"
            ),
            (#"{"errors": [{"message": "PersistedQueryNotSupported"}]}"#, "POST query"),
        ], [200, 400])
    func `the text follows when the server asks for it`(answer: (String, String), status: Int) async throws {
        #expect(try await sent(.json(answer.0, status: status), Self.success) == ["POST sha256Hash", answer.1])
    }
}
