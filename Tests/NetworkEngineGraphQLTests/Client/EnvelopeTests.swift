import Foundation
import NetworkEngineGraphQL
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Tests that the caller's encoder and decoder apply to variables and data, but not to the protocol's own members.
@Suite(.timeLimit(.minutes(5))) struct EnvelopeTests {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    private static let encoders: [@Sendable (JSONEncoder) -> Void] = [
        { $0.keyEncodingStrategy = .convertToSnakeCase },
        { $0.keyEncodingStrategy = .custom { Name(($0.last?.stringValue ?? "").uppercased()) } },
        { $0.outputFormatting = .prettyPrinted },
    ]

    private static let decoders: [@Sendable (JSONDecoder) -> Void] = [
        { $0.keyDecodingStrategy = .convertFromSnakeCase },
        { $0.keyDecodingStrategy = .custom { Name(($0.last?.stringValue ?? "").uppercased()) } },
        { $0.keyDecodingStrategy = .custom { Name("\($0.count)" + ($0.last?.stringValue ?? "")) } },
        { $0.allowsJSON5 = true },
    ]

    private func client(
        _ mock: MockTransport, _ options: GraphQLClientOptions = .init(), encoder: JSONEncoder? = nil,
        decoder: JSONDecoder = JSONDecoder()
    ) throws -> GraphQLClient {
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        let http = HTTPClient(baseURL: try #require(URL(string: "https://api.test")), configuration: configuration)
        return GraphQLClient(httpClient: http, encoder: encoder, decoder: decoder, options: options)
    }

    private let question = GraphQLOperation(document: "{ a }")
    private let operation = GraphQLOperation(
        document: "query GetIt { a }", variables: ["userName": ["firstName": "Ada"], "score": .double(.infinity)],
        operationName: "GetIt")

    @Test(arguments: encoders.indices) func `requests have the protocol's names with any encoder`(index: Int)
        async throws
    {
        let encoder = JSONEncoder()
        Self.encoders[index](encoder)
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        var options = GraphQLClientOptions()
        options.persistsQueries = true
        for usesGET in [false, true] {
            options.usesGETForQueries = usesGET
            let mock = MockTransport(.json(#"{"data": {}}"#))
            let _: EmptyBody = try await client(mock, options, encoder: encoder).execute(operation)
            let request = try #require(mock.requests.first)
            var sent: [String: GraphQLVariable] = [:]
            if usesGET {
                let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
                for item in items {
                    let value = item.value ?? ""
                    let object = try? JSONDecoder().decode(GraphQLVariable.self, from: Data(value.utf8))
                    sent[item.name] = object ?? .string(value)
                }
            } else {
                sent = try JSONDecoder().decode([String: GraphQLVariable].self, from: request.body.data ?? Data())
            }
            #expect(sent.keys.sorted() == ["extensions", "operationName", "variables"])
            #expect(sent["operationName"] == "GetIt")
            #expect(sent["variables"] == ["userName": ["firstName": "Ada"], "score": "inf"])
            guard case .object(let extensions) = sent["extensions"],
                case .object(let query) = extensions["persistedQuery"]
            else { return #expect(Bool(false)) }
            #expect(query.keys.sorted() == ["sha256Hash", "version"])
        }
    }

    @Test(arguments: encoders.indices) func `uploads have the protocol's names with any encoder`(index: Int)
        async throws
    {
        let encoder = JSONEncoder()
        Self.encoders[index](encoder)
        let mock = MockTransport(.json(#"{"data": {}}"#))
        let upload = GraphQLUpload("variables.myFile", .data(Data("bytes".utf8)))
        let operation = GraphQLOperation(document: "mutation Send { a }", operationName: "Send")
        let _: EmptyBody = try await client(mock, encoder: encoder).execute(operation, uploads: [upload])
        let body = String(decoding: try #require(mock.requests.first?.body.data), as: UTF8.self)
        #expect(body.contains(#"{"operationName":"Send","query":"mutation Send { a }","variables":{"#))
        #expect(body.contains(#"{"0":["variables.myFile"]}"#))
    }

    @Test(arguments: decoders.indices) func `responses are read with any decoder`(index: Int) async throws {
        struct Person: Decodable, Equatable, Sendable {
            let names: [String]
            init(from decoder: any Decoder) throws {
                names = try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue)
            }
        }
        let decoder = JSONDecoder()
        Self.decoders[index](decoder)
        let expected = try decoder.decode([String: Person].self, from: Data(#"{"data": {"first_name": 1}}"#.utf8))[
            "data"]
        let body = #"{"data": {"first_name": 1}, "errors": [], "extensions": {"user_cost": 3}}"#
        let mock = MockTransport(MockAnswer.json(body).repeating())
        let client = try client(mock, decoder: decoder)
        #expect(try await client.execute(question) == expected)
        let response: GraphQLResponse<Person> = try await client.response(to: question)
        #expect(response.data == expected && response.errors == [] && response.extensions == ["user_cost": 3])
    }

    @Test(arguments: decoders.indices) func `errors and partial data are read with any decoder`(index: Int)
        async throws
    {
        let decoder = JSONDecoder()
        Self.decoders[index](decoder)
        let body = #"{"data": 7, "errors": [{"message": "no", "path": ["a", 1], "extensions": {"code": "X"}}]}"#
        let client = try client(MockTransport(.json(body)), decoder: decoder)
        let error = await #expect(throws: GraphQLError.self) { let _: Int = try await client.execute(question) }
        #expect(error?.messages == ["no"] && error?.errors.first?.code == "X" && error?.errors.first?.path == ["a", 1])
        #expect(error?.data(as: Int.self, decoder: decoder) == 7)
    }

    @Test func `partial data is decoded with the client's decoder`() async throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .millisecondsSince1970
        let body = #"{"data": 1000, "errors": [{"message": "no"}]}"#
        let client = try client(MockTransport(.json(body)), decoder: decoder)
        let error = await #expect(throws: GraphQLError.self) { let _: Date = try await client.execute(question) }
        #expect(error?.data(as: Date.self) == Date(timeIntervalSince1970: 1))
    }

    @Test func `the strategies apply to the whole data`() async throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let client = try client(MockTransport(.json(#"{"data": 100}"#)), decoder: decoder)
        #expect(try await client.execute(question) == Date(timeIntervalSince1970: 100))
    }

    @Test func `a subclass of the decoder decodes the data`() async throws {
        final class Own: JSONDecoder, @unchecked Sendable {
            let count = Locked(0)
            override func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
                count.withLock { $0 += 1 }
                return try super.decode(type, from: data)
            }
        }
        let decoder = Own()
        let client = try client(MockTransport(.json(#"{"data": [1]}"#)), decoder: decoder)
        #expect(try await client.execute(question) == [1])
        #expect(decoder.count.withLock { $0 } == 1)
    }

    private struct Me: Decodable, Equatable, Sendable { var name: String? }

    @Test(arguments: [
        #"{"data": {"name": "Ada"}, "extensions": []}"#, #"{"data": {"name": "Ada"}, "extensions": {}}"#,
        #"{"data": {"name": "Ada"}, "extensions": null}"#, #"{"data": {"name": "Ada"}, "extensions": 7}"#,
        #"{"data": {"name": "Ada"}, "extensions": [], "errors": []}"#,
        "\u{FEFF}" + #"{"data": {"name": "Ada"}, "extensions": []}"#,
    ])
    func `extensions that are an empty array count as missing`(body: String) async throws {
        let client = try client(MockTransport(MockAnswer.json(body).repeating()))
        #expect(try await client.execute(question) == Me(name: "Ada"))
        let response: GraphQLResponse<Me> = try await client.response(to: question)
        #expect(response.extensions ?? [:] == [:] && response.data == Me(name: "Ada"))
        let decoded = try JSONDecoder().decode(GraphQLResponse<Me>.self, from: Data(body.utf8))
        #expect(decoded == response)
    }

    @Test func `an error's extensions can be an empty array`() async throws {
        let body = #"{"errors": [{"message": "no", "extensions": [], "locations": [], "path": []}], "data": []}"#
        let response: GraphQLResponse<Me> = try await client(MockTransport(.json(body))).response(to: question)
        #expect(response.errors == [GraphQLResponseError(message: "no", locations: [], path: [], extensions: [:])])
        #expect(response.data == Me(name: nil))
    }

    @Test func `data that is an empty array decodes as an array and not as an object`()
        async throws
    {
        struct Needing: Decodable, Sendable { var name: String }
        let client = try client(MockTransport(MockAnswer.json(#"{"data": []}"#).repeating()))
        #expect(try await client.execute(question) == [Int]())
        #expect(try await client.execute(question) == Me(name: nil))
        let error = await #expect(throws: GraphQLError.self) { let _: Needing = try await client.execute(question) }
        #expect(error?.kind == .decodingFailed)
    }
}
