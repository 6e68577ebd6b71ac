import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineGraphQL
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct GraphQLClientTests {
    private struct Me: Codable, Equatable, Sendable { var name: String? }
    private let operation = GraphQLOperation(document: "{ name }")

    private func failure(_ answer: MockAnswer) async -> GraphQLError? {
        do throws(GraphQLError) {
            let _: Me = try await GraphQLClient(MockTransport(answer)).execute(operation)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        #"{"data": {"name": "Ada"}}"#, #"{"data": {"name": "Ada"}, "errors": []}"#,
        #"{"errors": null, "data": {"name": "Ada"}}"#,
    ])
    func `data without errors is success`(body: String) async throws {
        #expect(try await GraphQLClient(MockTransport(.json(body))).execute(operation) == Me(name: "Ada"))
    }

    @Test func `the data of an operation can be ignored, and its errors are thrown`() async throws {
        let mock = MockTransport(
            .json(#"{"data": {"name": 1}}"#), .json(#"{"data": {"name": 2}}"#),
            .json(#"{"errors": [{"message": "no"}]}"#))
        let client = GraphQLClient(mock)
        try await client.execute(operation)
        let done: Void = try await client.execute(operation)
        let error = await #expect(throws: GraphQLError.self) { try await client.execute(operation) }
        #expect(done == () && error?.messages == ["no"])
        try await GraphQLClientMock(.value(Me(name: "Ada"))).execute(operation)
    }

    @Test(arguments: [false, true])
    func `an operation ends at its own deadline`(isUpload: Bool) async throws {
        let clock = TestClock()
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.clock) = (MockTransport(.hang), clock)
        configuration.deadline = .seconds(30)
        let http = HTTPClient(baseURL: URL(fileURLWithPath: "/"), configuration: configuration)
        var operation = operation
        operation.deadline = .seconds(2)
        let uploads = isUpload ? [GraphQLUpload("variables.file", .data(Data()))] : []
        if isUpload { operation.variables = ["file": nil] }
        let call = Task { [operation] in
            let client = GraphQLClient(httpClient: http, path: "http://api.test/graphql")
            let _: Me = try await client.execute(operation, uploads: uploads)
        }
        #expect(await clock.advanceToNextSleeper() == .seconds(2))
        let error = await #expect(throws: GraphQLError.self) { try await call.value }
        #expect(error?.networkError?.transportFailure == .timeout(.deadline))
    }

    @Test func `errors throw and keep the partial data`() async throws {
        let body = #"{"data": {"name": "Ada"}, "errors": [{"message": "no age"}, {"message": "no more"}]}"#
        let error = try #require(await failure(.json(body)))
        #expect(error.kind == .responseErrors && error.messages == ["no age", "no more"])
        #expect(error.data(as: Me.self) == Me(name: "Ada") && error.data(as: Int.self) == nil)
        #expect(error.localizedDescription.contains("no age"))
    }

    @Test func `an error has locations, a path of names and numbers, and extensions`() async throws {
        let body = #"""
            {"errors": [{"message": "m", "locations": [{"line": 2, "column": 3}], "path": ["users", 1, "name"],
            "extensions": {"code": "FORBIDDEN", "n": 1.5}}, {"message": 7, "path": "odd"}]}
            """#
        let errors = try #require(await failure(.json(body))).errors
        #expect(
            errors == [
                GraphQLResponseError(
                    message: "m",
                    locations: [GraphQLResponseError.Location(line: 2, column: 3)],
                    path: ["users", 1, "name"],
                    extensions: ["code": "FORBIDDEN", "n": 1.5]
                ), GraphQLResponseError(message: ""),
            ])
        #expect(errors.first?.code == "FORBIDDEN" && errors.last?.code == nil)
    }

    @Test func `the response is available with data and errors`() async throws {
        let body = #"{"data": {"name": null}, "errors": [{"message": "m"}], "extensions": {"cost": 3}}"#
        let response: GraphQLResponse<Me> = try await GraphQLClient(MockTransport(.json(body))).response(to: operation)
        #expect(response.data == Me(name: nil) && response.errors?.count == 1 && response.extensions == ["cost": 3])
    }

    @Test(arguments: [
        (#"{}"#, GraphQLError.Kind.invalidResponse), (#"{"data": null}"#, .invalidResponse),
        (#"{"x": 1}"#, .invalidResponse),
        ("no JSON", .decodingFailed), ("[]", .decodingFailed), (#"{"data": {"name": 7}}"#, .decodingFailed),
        ("", .decodingFailed),
    ])
    func `a body that is not a GraphQL response is reported as such`(body: String, kind: GraphQLError.Kind) async {
        #expect(await failure(.json(body))?.kind == kind)
    }

    @Test func `a decoding error of the data names its coding path`() async throws {
        let error = try #require(await failure(.json(#"{"data": {"name": 7}}"#)))
        #expect(
            error.networkError?.reason.contains("data.name") == true && error.networkError?.underlying is DecodingError)
    }

    @Test(arguments: [400, 401, 500]) func `a GraphQL body on a failed status is read`(
        status: Int
    ) async {
        let error = await failure(.json(#"{"errors": [{"message": "bad document"}]}"#, status: status))
        #expect(error?.kind == .responseErrors && error?.messages == ["bad document"])
    }

    /// GraphQL over HTTP, *Processing the response*: without a GraphQL media type, the body could come from a proxy.
    @Test func `data on a failed status counts only if its type is that of GraphQL`() async throws {
        let body = #"{"data": {"name": "Ada"}}"#
        for type in ["application/json", "application/json; a=application/graphql-response+json", "text/html"] {
            let error = await failure(.data(Data(body.utf8), type: type, status: 500))
            #expect(error?.kind == .network && error?.networkError?.statusCode == 500, "\(type)")
        }
        for type in ["application/graphql-response+json", "Application/GraphQL-Response+JSON ; charset=utf-8"] {
            let client = GraphQLClient(MockTransport(.data(Data(body.utf8), type: type, status: 500)))
            #expect(try await client.execute(operation) == Me(name: "Ada"))
        }
    }

    @Test(arguments: ["", "<html>", "[]", #"{"message": "no such route"}"#])
    func `any other body on a failed status keeps the status error`(body: String) async {
        let error = await failure(.json(body, status: 404))
        #expect(error?.kind == .network && error?.networkError?.statusName == .notFound)
    }

    @Test func `failures map to the same domain errors as over HTTP and keep their messages`() async throws {
        let expected: [(MockAnswer, APIError)] = [
            (.status(404), .notFound), (.status(503), .serverError(statusCode: 503)), (.failure(.offline), .offline),
            (.json("{}"), .invalidResponse), (.json(#"{"errors": [{"message": "a"}]}"#), .rejected(messages: ["a"])),
        ]
        for (answer, meaning) in expected { #expect(await failure(answer).map(APIError.init) == meaning) }
        let decoding = try #require(await failure(.json(#"{"data": {"name": 7}}"#)).map(APIError.init))
        guard case .decodingFailed(let description) = decoding else { return #expect(Bool(false), "\(decoding)") }
        #expect(description.contains("data.name"))
    }

    /// A client that sends queries with GET.
    private static func reader(_ answer: MockAnswer) -> GraphQLClient {
        var configuration = NetworkConfiguration()
        configuration.transport = MockTransport(answer.repeating())
        var options = GraphQLClientOptions()
        options.usesGETForQueries = true
        let base = URL(string: "https://api.test") ?? URL(fileURLWithPath: "/")
        return GraphQLClient(httpClient: HTTPClient(baseURL: base, configuration: configuration), options: options)
    }

    @Test(
        arguments: [
            .status(500), .json("{}"), .json("no JSON"), .failure(.connect),
            .json(#"{"errors": [{"message": "Variable $id got invalid value \"hush-value-7\""}]}"#),
        ] as [MockAnswer])
    func `no error description contains the values of variables`(answer: MockAnswer) async throws {
        let operation = GraphQLOperation(
            document: "query Me($id: ID!, $in: [In]) { me(id: $id, note: \"hush-literal-7\") { name } }",
            variables: ["id": "hush-value-7", "in": [["name": "hush-inner-7"]]],
            operationName: "Me"
        )
        let error = await #expect(throws: GraphQLError.self) {
            let _: Me = try await Self.reader(answer).execute(operation)
        }
        var texts = ["", ""]
        dump(error, to: &texts[0])
        dump(operation, to: &texts[1])
        texts += ["\(error as Any)", error?.localizedDescription ?? "", "\(operation)", String(reflecting: operation)]
        texts.append(String(reflecting: error?.networkError?.request))
        for text in texts { #expect(!text.contains("hush"), "\(text)") }
        #expect("\(operation)" == "query Me($id, $in)")
    }

    @Test(
        arguments: [
            (.int(4_930_123_456), "4930123456"), (.int(-123_456), "-123456"), (.double(52.520_008), "52.520008"),
            (.double(1_234_567), "1234567"), (.double(1_234_567), "1234567.0"),
            (.decimal(Decimal(sign: .plus, exponent: -2, significand: 123_456_789)), "1234567.89"),
            (.enum("DIAGNOSIS"), "DIAGNOSIS"), ([["number": 4_930_123_456]], "4930123456"),
        ] as [(GraphQLVariable, String)])
    func `a number and a case of an enum are hidden in the server's messages`(value: GraphQLVariable, text: String)
        async
    {
        let mock = MockTransport(.json(#"{"errors": [{"message": "\#(text) is unknown"}]}"#))
        let operation = GraphQLOperation(document: "query ($x: X) { a(x: $x) }", variables: ["x": value])
        let error = await #expect(throws: GraphQLError.self) {
            let _: Me = try await GraphQLClient(mock).execute(operation)
        }
        #expect(error?.messages == ["\(text) is unknown"])
        for shown in [error?.description ?? "", error?.localizedDescription ?? ""] {
            #expect(shown.contains("is unknown") && !shown.contains(text.prefix(6)), "\(shown)")
        }
    }

    @Test func `a number that a message repeats is hidden in each place, alone and among many`() async {
        let numbers: [GraphQLVariable] = (0..<200).map { .int(4_930_123_456 + $0) }
        let message = String(repeating: "4930123456 a://b ", count: 200)
        for values in [Array(numbers.prefix(1)), numbers] {
            let mock = MockTransport(.json(#"{"errors": [{"message": "\#(message)"}]}"#))
            let operation = GraphQLOperation(document: "query ($x: [X]) { a(x: $x) }", variables: ["x": .list(values)])
            let error = await #expect(throws: GraphQLError.self) {
                let _: Me = try await GraphQLClient(mock).execute(operation)
            }
            #expect(error?.description.contains("a://b") == true && error?.description.contains("493012") == false)
        }
    }

    @Test func `a canceled operation fails as canceled`() async {
        let client = GraphQLClient(MockTransport(.hang))
        let call = Task { () async throws -> Me in try await client.execute(operation) }
        call.cancel()
        let error = await #expect(throws: GraphQLError.self) { try await call.value }
        #expect(error?.networkError?.kind == .cancelled)
    }

    @Test func `an operation uses the client's coders`() async throws {
        struct Person: Decodable, Sendable { var firstName: String }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let client = GraphQLClient(MockTransport(.json(#"{"data": {"first_name": "Ada"}}"#)), decoder: decoder)
        #expect(try await (client.execute(operation) as Person).firstName == "Ada")
    }

    @Test func `variables that cannot be encoded fail before I/O`() async {
        let mock = MockTransport(.json("{}"))
        let operation = GraphQLOperation(document: "{ a }", variables: ["x": .double(.infinity)])
        let error = await #expect(throws: GraphQLError.self) {
            let _: Me = try await GraphQLClient(mock).execute(operation)
        }
        #expect(error?.kind == .encodingFailed && mock.requests.isEmpty)
    }
}
