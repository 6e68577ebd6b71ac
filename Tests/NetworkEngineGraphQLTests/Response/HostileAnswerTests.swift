import Foundation
import NetworkEngineGraphQL
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Tests small responses that are designed to take long to decode.
@Suite(.timeLimit(.minutes(10))) struct HostileAnswerTests {
    private struct Me: Decodable, Equatable, Sendable { var name: String }
    private let operation = GraphQLOperation(document: "{ name }")

    private enum Nest: String, CaseIterable { case arrays, objects, both }

    /// A response of the given size with values nested 480 levels deep, in the extensions of an error and of the
    /// response.
    private static func body(_ nest: Nest, bytes: Int) -> String {
        let (opening, closing) =
            switch nest {
            case .arrays: ("[", "]")
            case .objects: (#"{"a":"#, "}")
            case .both: (#"[{"a":"#, "}]")
            }
        let depth = nest == .both ? 240 : 480
        let value = String(repeating: opening, count: depth) + "1e400" + String(repeating: closing, count: depth)
        let members = (0..<max(1, bytes / value.utf8.count / 2)).map { "\"k\($0)\":\(value)" }.joined(separator: ",")
        return
            #"{"data":{"name":"Ada"},"extensions":{\#(members)},"errors":[{"message":"no","extensions":{\#(members)}}]}"#
    }

    @Test(arguments: ["arrays", "objects", "both"], [14, 115]) func `deeply nested extensions are skipped`(
        nest: String, kilobytes: Int
    ) async throws {
        let body = Self.body(try #require(Nest(rawValue: nest)), bytes: kilobytes << 10)
        let client = GraphQLClient(MockTransport(MockAnswer.json(body).repeating()))
        let error = await #expect(throws: GraphQLError.self) { let _: Me = try await client.execute(operation) }
        #expect(error?.messages == ["no"] && error?.data(as: Me.self) == Me(name: "Ada"))
        let response: GraphQLResponse<Me> = try await client.response(to: operation)
        #expect(response.data == Me(name: "Ada") && response.extensions == nil)
        #expect(response.errors?.first?.extensions == nil && response.errors?.first?.code == nil)
    }

    @Test func `a response with thousands of empty errors is read`() async throws {
        let body = #"{"errors":[\#(repeatElement("{}", count: 40_000).joined(separator: ","))]}"#
        let client = GraphQLClient(MockTransport(.json(body)))
        let response: GraphQLResponse<Me> = try await client.response(to: operation)
        #expect(response.errors?.count == 40_000)
    }

    @Test(arguments: [#"{"message":"no"}"#, #""no""#, #"[{"message":"no"}]"#])
    func `errors that are no list are errors`(errors: String) async {
        let client = GraphQLClient(MockTransport(.json(#"{"data":{"name":"Ada"},"errors":\#(errors)}"#)))
        let error = await #expect(throws: GraphQLError.self) { let _: Me = try await client.execute(operation) }
        #expect(error?.kind == .responseErrors && error?.messages == ["no"])
    }

    @Test(arguments: ["{}", "[]", "null", "false", "0"]) func `errors without any content are none`(
        errors: String
    ) async throws {
        let client = GraphQLClient(MockTransport(.json(#"{"data":{"name":"Ada"},"errors":\#(errors)}"#)))
        #expect(try await client.execute(operation) == Me(name: "Ada"))
    }

    @Test func `errors of another API are no response of GraphQL`() async {
        let client = GraphQLClient(MockTransport(.json(#"{"errors":{"email":["is invalid"]}}"#)))
        let error = await #expect(throws: GraphQLError.self) {
            let _: GraphQLResponse<Me> = try await client.response(to: operation)
        }
        #expect(error?.kind == .invalidResponse)
    }

    @Test func `extensions compare by value and can be changed`() throws {
        let text = #"{"message":"m","extensions":{"a":1,"b":[true,null]}}"#
        var error = try JSONDecoder().decode(GraphQLResponseError.self, from: Data(text.utf8))
        let same = GraphQLResponseError(message: "m", extensions: ["b": [true, nil], "a": 1])
        #expect(error == same && error.hashValue == same.hashValue)
        error.extensions?["c"] = 2
        #expect(error.extensions == ["a": 1, "b": [true, nil], "c": 2] && error != same)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(
            String(decoding: try encoder.encode(same), as: UTF8.self)
                == #"{"extensions":{"a":1,"b":[true,null]},"message":"m"}"#)
    }

    @Test(arguments: [(1, TestLength.part(of: 1 << 20)), (TestLength.part(of: 40_000), 20)])
    func `the texts of an error have a limit`(count: Int, length: Int) async throws {
        let message = #"{"message":"\#(String(repeating: "ü", count: length))"}"#
        let body = #"{"errors":[\#(repeatElement(message, count: count).joined(separator: ","))]}"#
        let client = GraphQLClient(MockTransport(.json(body)))
        let error = await #expect(throws: GraphQLError.self) { let _: Me = try await client.execute(operation) }
        let thrown = try #require(error)
        for text in [thrown.description, thrown.localizedDescription, APIError(thrown).localizedDescription] {
            #expect(text.count < 1_100 && text.contains("üüü") && text.hasSuffix("…"))
        }
        #expect(thrown.messages.count == count && thrown.messages.first?.count == length)
    }
}
