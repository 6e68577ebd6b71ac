import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// The values that bodies are decoded to.
@Suite(.timeLimit(.minutes(5))) struct ResponseDecodingTests {
    private struct User: Codable, Sendable, Equatable {
        var firstName: String
    }

    private static let snakeCase: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }()

    @Test func `JSON is decoded with the decoder of the call or the default one`() throws {
        let response = HTTPResponse.sample(#"{"first_name": "Ann"}"#)
        let byCall = try ResponseDecoding<User>.json(Self.snakeCase).value(response)
        let byStandard = try ResponseDecoding<User>.json.value(of: response, standard: BodyDecoder(Self.snakeCase))
        #expect(byCall == User(firstName: "Ann") && byStandard == byCall)
        #expect(throws: NetworkError.self) { try ResponseDecoding<User>.json.value(response) }
    }

    @Test(arguments: ["data.user_list", "data.userList"])
    func `a key path is found in the spelling of the document or of the types`(_ path: String) throws {
        let response = HTTPResponse.sample(#"{"data": {"user_list": [{"first_name": "Ann"}]}}"#)
        let decoding = ResponseDecoding<[User]>.json(Self.snakeCase, at: path)
        #expect(try decoding.value(response) == [User(firstName: "Ann")])
    }

    @Test(arguments: [
        "_user_list", "user_list_", "USER_LIST", "User_List", "__user_list__", "user__list", "list_2", "2_list",
        "users",
        "Users", "_", "größte_Liste", "a.b_c".replacing(".", with: "-"),
    ])
    func `with convertFromSnakeCase a key path finds names as in the document`(name: String) throws {
        let response = HTTPResponse.sample(#"{"data_set": {"\#(name)": {"\#(name)": [1]}}}"#)
        for first in ["data_set", "dataSet"] {
            let decoding = ResponseDecoding<[Int]>.json(Self.snakeCase, at: "\(first).\(name).\(name)")
            #expect(try decoding.value(response) == [1], "\(name)")
        }
    }

    @Test func `a custom key strategy gets the names of a key path with their coding paths`() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .custom { path in
            Name(stringValue: path.map(\.stringValue).joined(separator: "/"))
        }
        let response = HTTPResponse.sample(#"{"a": {"b": 1}}"#)
        #expect(try ResponseDecoding<Int>.json(decoder, at: "a.b").value(response) == 1)
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    @Test func `a key path adds nothing to the coding path of the types`() throws {
        struct Told: Decodable {
            let count: Int
            init(from decoder: any Decoder) { count = decoder.userInfo.count }
        }
        #expect(try ResponseDecoding<Told>.json(at: "a").value(.sample(#"{"a": 1}"#)).count == 0)
    }

    @Test func `a key path without a strategy is used unchanged`() throws {
        let response = HTTPResponse.sample(#"{"user_list": {"a": 1}, "b": null}"#)
        #expect(try ResponseDecoding<Int>.json(at: "user_list.a").value(response) == 1)
        #expect(try ResponseDecoding<Int?>.json(at: "b").value(response) == nil)
        #expect(try ResponseDecoding<[String: Int]>.json(at: "user_list").value(response) == ["a": 1])
    }

    @Test(arguments: [("data.missing", "\"missing\" at data"), ("data.users.name", "users")])
    func `a missing key path is an error with its coding path`(path: String, words: String) {
        let response = HTTPResponse.sample(#"{"data": {"users": [1]}}"#)
        let error = #expect(throws: NetworkError.self) {
            try ResponseDecoding<String>.json(at: path).value(response)
        }
        #expect(error?.kind == .decoding && error?.reason.contains(words) == true, "\(String(describing: error))")
    }

    @Test(arguments: [("", 200), ("", 204), (#"{"firstName": "Ann"}"#, 204), ("", 201)])
    func `a missing body or a 204 is nil, EmptyBody or Void, without the parser`(body: String, status: Int) throws {
        let response = HTTPResponse.sample(body, status: status)
        #expect(try ResponseDecoding<User?>.json.value(response) == nil)
        #expect(try ResponseDecoding<[User]?>.json(at: "a.b").value(response) == nil)
        #expect(try ResponseDecoding<EmptyBody>.json.value(response) == EmptyBody())
        try ResponseDecoding<Void>.nothing.value(response)
        let error = #expect(throws: NetworkError.self) { try ResponseDecoding<User>.json.value(response) }
        #expect(error?.kind == .emptyBody && error?.response?.statusCode == status)
    }

    @Test(arguments: ["not JSON", "[1]", "null"])
    func `a body is ignored for Void and for EmptyBody`(body: String) throws {
        try ResponseDecoding<Void>.nothing.value(.sample(body))
        if body != "not JSON" { #expect(try ResponseDecoding<EmptyBody>.json.value(.sample(body)) == EmptyBody()) }
    }

    @Test func `an optional value is decoded if there is a body`() throws {
        #expect(try ResponseDecoding<User?>.json.value(.sample(#"{"firstName": "Ann"}"#)) == User(firstName: "Ann"))
        #expect(try ResponseDecoding<User?>.json.value(.sample("null")) == nil)
        #expect(throws: NetworkError.self) { try ResponseDecoding<User?>.json.value(.sample("[]")) }
    }

    @Test func `Data is the received bytes with every calling style`() throws {
        let bytes = Data([0, 0xFF, 0x22])
        #expect(try ResponseDecoding<Data>.data.value(.sample(bytes)) == bytes)
        #expect(try ResponseDecoding<Data>.json.value(.sample(bytes)) == bytes)
        #expect(try ResponseDecoding<Data?>.json.value(.sample(bytes)) == bytes)
        #expect(try ResponseDecoding<Data>.data.value(.sample("", status: 204)) == Data())
        #expect(try ResponseDecoding<Data?>.json.value(.sample("", status: 204)) == nil)
    }

    @Test func `Data and EmptyBody at a key path are decoded from the value at the path`() throws {
        let response = HTTPResponse.sample(#"{"user": {"avatar": "aGk=", "none": null}}"#)
        let avatar = "user.avatar"
        #expect(try ResponseDecoding<Data>.json(at: avatar).value(response) == Data("hi".utf8))
        #expect(try ResponseDecoding<Data?>.json(at: avatar).value(response) == Data("hi".utf8))
        #expect(try ResponseDecoding<Data?>.json(at: "user.none").value(response) == nil)
        #expect(try ResponseDecoding<EmptyBody>.json(at: avatar).value(response) == EmptyBody())
        #expect(try ResponseDecoding<Data>.json(at: "").value(response) == response.data)
        #expect(try ResponseDecoding<EmptyBody>.json(at: avatar).value(.sample("", status: 204)) == EmptyBody())
        let absent = #expect(throws: NetworkError.self) {
            try ResponseDecoding<Data>.json(at: avatar).value(.sample(""))
        }
        #expect(absent?.kind == .emptyBody)
        let missing = #expect(throws: NetworkError.self) {
            try ResponseDecoding<EmptyBody>.json(at: "user.photo").value(response)
        }
        #expect(missing?.kind == .decoding && missing?.reason == #"no value for key "photo" at user"#)
    }

    @Test func `a parsing closure gets every response, and its error is the call's error`() throws {
        let size = ResponseDecoding<Int>.custom { data, response in data.count + response.statusCode }
        #expect(try size.value(.sample("abc", status: 204)) == 207)
        let own = ResponseDecoding<Int>.custom { _, _ in throw NetworkError(kind: .authentication, reason: "no") }
        let refused = #expect(throws: NetworkError.self) { try own.value(.sample("x", status: 201)) }
        #expect(refused?.kind == .authentication && refused?.statusCode == 201)
        let foreign = ResponseDecoding<Int>.custom { _, _ in throw Wrong("x") }
        let error = #expect(throws: NetworkError.self) { try foreign.value(.sample("x")) }
        #expect(error?.kind == .decoding && error?.underlying is Wrong && error?.reason == "the decoding threw Wrong")
        let cancelled = ResponseDecoding<Int>.custom { _, _ in throw CancellationError() }
        #expect(throws: NetworkError.cancelled(HTTPRequest(url: API.base))) { try cancelled.value(.sample("x")) }
    }

    @Test func `a call can bring its decoding`() async throws {
        let provider = NetworkProvider<TestTarget>(MockTransport(MockAnswer.json(#"{"a": [1, 2]}"#).repeating()))
        let numbers: [Int] = try await provider.request(TestTarget(), decoding: .json(at: "a"))
        #expect(numbers == [1, 2])
        let size = try await provider.request(TestTarget(), decoding: .custom { data, _ in data.count })
        #expect(size == 13)
    }
}
