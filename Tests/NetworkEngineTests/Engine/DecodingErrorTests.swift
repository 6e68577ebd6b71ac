import Foundation
import Testing

@testable import NetworkEngine

/// The contents of a decoding error: the location, and nothing from the body.
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
    func `an error names the coding path and no value of the body`(body: String, reason: String) throws {
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

    @Test(arguments: [
        ("text/html; charset=utf-8", #": its type is "text/html""#), ("application/json", ""), (nil, ""),
    ])
    func `a body that is not JSON is named by its media type`(type: String?, hint: String) {
        let response = HTTPResponse.sample("<p>Sign in</p>", type: type)
        let error = #expect(throws: NetworkError.self) { try ResponseDecoding<List>.json.value(response) }
        #expect(error?.reason == "the body is not valid JSON" + hint)
        let text = #expect(throws: NetworkError.self) { try ResponseDecoding<String>.json.value(response) }
        #expect(text?.reason == "the body is not valid JSON" + hint + "; string(_:) returns a text as it is")
    }

    private struct Ledger: Decodable {
        enum Kind: String, Decodable { case big }
        var balances: [String: Int]?
        var counts: [Int: Int]?
        var kind: Kind?
        var nested: [[String: [Kind]]]?
    }

    /// Accepts any name in the body as a key.
    private struct AnyName: Decodable {
        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            for key in container.allKeys { _ = try container.decode(Int.self, forKey: key) }
            _ = try container.decode(Int.self, forKey: Key(stringValue: "known"))
        }
    }

    static let keyed: [(type: any (Decodable & SendableMetatype).Type, body: String, reason: String)] = [
        (Ledger.self, #"{"balances": {"top-secret": "x"}}"#, "not a Int at balances[…]"),
        (Ledger.self, #"{"counts": {"7654321": "x"}}"#, "not a Int at counts[…]"),
        (Ledger.self, #"{"kind": "top-secret"}"#, "an invalid value at kind"),
        (Ledger.self, #"{"nested": [{"top-secret": ["big", "top-secret"]}]}"#, "an invalid value at nested[0][…][1]"),
        (AnyName.self, #"{"top-secret": "x"}"#, "not a Int at […]"),
        (AnyName.self, "{}", #"no value for key "known" at the top level"#),
        ([String: Int].self, #"{"top-secret": null}"#, "null where Int was expected at […]"),
    ]

    @Test(arguments: keyed.indices)
    func `an error names the keys of a type and not those of the body`(row: Int) throws {
        let (type, body, reason) = Self.keyed[row]
        func decode<Value: Decodable>(_ type: Value.Type) throws(NetworkError) {
            _ = try HTTPResponse.sample(body).json(type, by: BodyDecoder(JSONDecoder()))
        }
        let thrown = #expect(throws: NetworkError.self) { try decode(type) }
        let error = try #require(thrown)
        #expect(error.reason == reason)
        let cause = try #require(error.underlying as? DecodingError)
        var dumped = ""
        dump(cause, to: &dumped)
        for text in ["\(cause)", String(reflecting: cause), dumped, "\(error)"] {
            #expect(!text.contains("secret") && !text.contains("7654321"), "\(text)")
        }
    }

    /// Quotes any value in its error.
    private struct Color: Decodable {
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let name = try container.decode(String.self)
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "unknown color \(name)")
        }
    }

    @Test(arguments: [(1_000, 0), (400, 300_000)])
    func `words of an error are left out where a search for each of them would take long`(
        words: Int, blanks: Int
    ) throws {
        let name = (0..<words).map { "w\(1_000 + $0)" }.joined(separator: " ")
        let body = "[\"\(name)\"]" + String(repeating: " ", count: blanks)
        let error = #expect(throws: NetworkError.self) { try ResponseDecoding<[Color]>.json.value(.sample(body)) }
        let cause = try #require(error?.underlying as? DecodingError)
        #expect("\(cause)".contains("The words of the error are left out."))
    }

    @Test func `an error names a key path as written`() {
        let error = #expect(throws: NetworkError.self) {
            try ResponseDecoding<Int>.json(at: "page.total").value(.sample(#"{"page": {"top-secret": 1}}"#))
        }
        #expect(error?.reason == #"no value for key "total" at page"#)
    }

    @Test func `a valid scalar of the wrong type is not reported as invalid JSON`() {
        let error = #expect(throws: NetworkError.self) {
            try ResponseDecoding<List.User.Role>.json.value(.sample(#""top-secret""#))
        }
        #expect(error?.reason == "a value or number that does not fit its type")
    }

    @Test func `the error of an initializer is kept`() {
        struct Picky: Decodable { init(from decoder: any Decoder) throws { throw Wrong("x") } }
        let error = #expect(throws: NetworkError.self) { try ResponseDecoding<Picky>.json.value(.sample("{}")) }
        #expect(error?.kind == .decoding && error?.underlying is Wrong)
    }
}
