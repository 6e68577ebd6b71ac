import Foundation
import NetworkEngine
import Testing

/// What a decoding error says: the place, and nothing of the body.
@Suite(.timeLimit(.minutes(5))) struct DecodingErrorTests {
    private struct List: Decodable {
        struct User: Decodable {
            enum Role: String, Decodable { case admin }
            var name: String
            var age: Int
            var role: Role?
            var site: URL?
        }
        var users: [User]
    }

    static let rows: [(body: String, reason: String)] = [
        (#"{"users": [{"name": "top-secret"}]}"#, #"no value for key "age" at users[0]"#),
        (#"{"users": [{"name": 7, "age": 1}]}"#, "not a String at users[0].name"),
        (#"{"users": [{"name": "a", "age": "top-secret"}]}"#, "not a Int at users[0].age"),
        (#"{"users": [{"name": null, "age": 1}]}"#, "null where String was expected at users[0].name"),
        (#"{"users": [{"name": "a", "age": 1, "role": "top-secret"}]}"#, "an invalid value at users[0].role"),
        (#"{"users": [{"name": "a", "age": 1.5}]}"#, "a value or number that does not fit its type"),
        (#"{"top-secret": 1}"#, #"no value for key "users" at the top level"#),
        (#"["top-secret"]"#, "not a Dictionary<String, Any> at the top level"),
        (#"{"users": top-secret}"#, "the body is not valid JSON"),
        ("top-secret", "the body is not valid JSON"),
    ]

    @Test(arguments: rows)
    func `the place is named and no value of the body is`(body: String, reason: String) throws {
        let thrown = #expect(throws: NetworkError.self) { try ResponseDecoding<List>.json.value(.sample(body)) }
        let error = try #require(thrown)
        #expect(error.kind == .decoding && error.reason == reason)
        #expect(error.underlying is DecodingError)
        #expect(error.response?.data == Data(body.utf8))
        var dumped = ""
        dump(error, to: &dumped)
        for text in [error.localizedDescription, "\(error)", String(reflecting: error), dumped] {
            #expect(!text.contains("top-secret"), "\(text)")
        }
    }

    @Test func `a lone value that is JSON but wrong is not called broken JSON`() {
        let error = #expect(throws: NetworkError.self) {
            try ResponseDecoding<List.User.Role>.json.value(.sample(#""top-secret""#))
        }
        #expect(error?.reason == "a value or number that does not fit its type")
    }

    @Test func `what an init throws is kept`() {
        struct Picky: Decodable { init(from decoder: any Decoder) throws { throw Wrong("x") } }
        let error = #expect(throws: NetworkError.self) { try ResponseDecoding<Picky>.json.value(.sample("{}")) }
        #expect(error?.kind == .decoding && error?.underlying is Wrong)
    }
}
