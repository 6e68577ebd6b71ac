import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Values inside a document, with the fast decoder and with Foundation's.
@Suite(.timeLimit(.minutes(5))) struct DocumentKeyPathTests {
    private struct User: Codable, Equatable, Sendable {
        var firstName: String
        var born: Date?
    }

    enum Engine: CaseIterable {
        case fast, foundation, subclass

        /// A decoder that the fast one replaces, one that it doesn't support, and one that can't be copied.
        func decoder(_ keys: JSONDecoder.KeyDecodingStrategy) -> JSONDecoder {
            final class Own: JSONDecoder, @unchecked Sendable {}
            let decoder = self == .subclass ? Own() : JSONDecoder()
            decoder.dateDecodingStrategy = .secondsSince1970
            if self == .foundation, let key = CodingUserInfoKey(rawValue: "any") { decoder.userInfo[key] = 1 }
            if self != .subclass { decoder.keyDecodingStrategy = keys }
            return decoder
        }

        func value<Value: Decodable>(
            _ type: Value.Type, at path: String, in text: String, keys: JSONDecoder.KeyDecodingStrategy
        ) throws -> Value where Value: SendableMetatype {
            let standard = BodyDecoder(decoder(keys), keys: keys)
            return try ResponseDecoding<Value>.json(at: path).value(of: .sample(text), standard: standard)
        }
    }

    private static let document = """
        {"data": {"user_list": [{"first_name": "Ann", "born": 100}, {"first_name": "Bob"}], "7": {"0": true},
        "rows": [[1, 2], [3, null]], "when": 5, "none": null}}
        """

    @Test(arguments: Engine.allCases)
    func `names and indices lead to a value`(engine: Engine) throws {
        let text = Self.document
        let keys = JSONDecoder.KeyDecodingStrategy.convertFromSnakeCase
        let ann = User(firstName: "Ann", born: Date(timeIntervalSince1970: 100))
        #expect(try engine.value([User].self, at: "data.user_list", in: text, keys: keys).count == 2)
        #expect(try engine.value(User.self, at: "data.userList.0", in: text, keys: keys) == ann)
        #expect(try engine.value(Date.self, at: "data.userList.0.born", in: text, keys: keys) == ann.born)
        #expect(try engine.value(String.self, at: "data.user_list.1.firstName", in: text, keys: keys) == "Bob")
        #expect(try engine.value(Int.self, at: "data.rows.1.0", in: text, keys: keys) == 3)
        #expect(try engine.value(Int?.self, at: "data.rows.1.1", in: text, keys: keys) == nil)
        #expect(try engine.value(Bool.self, at: "data.7.0", in: text, keys: keys))
        #expect(try engine.value(Date.self, at: "data.when", in: text, keys: keys).timeIntervalSince1970 == 5)
        #expect(try engine.value(Int?.self, at: "data.none", in: text, keys: keys) == nil)
        #expect(try engine.value(Int.self, at: "", in: "7", keys: keys) == 7)
        #expect(try engine.value(Date.self, at: "", in: "7", keys: keys).timeIntervalSince1970 == 7)
    }

    @Test(arguments: Engine.allCases)
    func `an error names the missing part, or the path below it`(engine: Engine) {
        let faults = [
            "data.users": "no value for key \"users\" at data",
            "data.rows.2": "no element 2 at data.rows",
            "data.rows.0.5": "no element 5 at data.rows[0]",
            "data.rows.first": "not a Dictionary<String, Any> at data.rows",
            "data.when.x": "not a Dictionary<String, Any> at data.when",
            "data.rows.-1": "not a Dictionary<String, Any> at data.rows",
            "data.7.1": "no value for key \"1\" at data.7",
        ]
        for (path, reason) in faults {
            let error = #expect(throws: NetworkError.self) {
                try engine.value(Int?.self, at: path, in: Self.document, keys: .useDefaultKeys)
            }
            #expect(error?.kind == .decoding && error?.reason == reason, "\(path)")
            #expect(error?.underlying is DecodingError)
        }
        let deep = #expect(throws: NetworkError.self) {
            try engine.value([User].self, at: "data.user_list", in: Self.document, keys: .useDefaultKeys)
        }
        #expect(deep?.reason == "no value for key \"firstName\" at data.user_list[0]")
    }

    @Test func `a call can take a part of the document`() async throws {
        let mock = MockTransport(MockAnswer.json(Self.document).repeating())
        let rows: [[Int?]] = try await NetworkProvider<TestTarget>(mock)
            .request(TestTarget(), decoding: .json(at: "data.rows"))
        #expect(rows == [[1, 2], [3, nil]])
    }
}

/// Arrays that skip elements that can't be decoded.
@Suite(.timeLimit(.minutes(5))) struct LossyArrayTests {
    private struct User: Codable, Equatable, Sendable {
        var id: Int
        var friends: [String: Int]?
    }

    private struct Page: Codable, Equatable, Sendable { var users: LossyArray<User> }

    private static let document = """
        {"users": [{"id": 1}, {"id": "s3cret"}, null, 7, {}, {"id": 2, "friends": {"s3cret": true}}, {"id": 3}]}
        """

    @Test(arguments: DocumentKeyPathTests.Engine.allCases)
    func `elements that cannot be decoded are left out and named`(engine: DocumentKeyPathTests.Engine) throws {
        let page = try engine.value(Page.self, at: "", in: Self.document, keys: .useDefaultKeys)
        let list = try engine.value(LossyArray<User>.self, at: "users", in: Self.document, keys: .useDefaultKeys)
        #expect(page.users == list)
        #expect(list.elements == [User(id: 1), User(id: 3)])
        #expect(list.failures.map(\.index) == [1, 2, 3, 4, 5])
        let reasons = list.failures.map(\.reason)
        #expect(reasons[0] == "not a Int at id" && reasons[3] == "no value for key \"id\"")
        #expect(reasons[4].hasPrefix("not a ") && reasons[4].hasSuffix(" at friends[…]"), "\(reasons[4])")
        #expect(!"\(list)".contains("s3cret"))
    }

    @Test(arguments: DocumentKeyPathTests.Engine.allCases)
    func `only an array is a lossy array`(engine: DocumentKeyPathTests.Engine) throws {
        #expect(try engine.value(LossyArray<Int>.self, at: "", in: "[]", keys: .useDefaultKeys).elements == [])
        #expect(try engine.value(LossyArray<Int?>.self, at: "", in: "[1, null]", keys: .useDefaultKeys).failures == [])
        let nested = try engine.value(LossyArray<[Int]>.self, at: "", in: "[[1], [2, \"a\"], 3]", keys: .useDefaultKeys)
        #expect(nested.elements == [[1]] && nested.failures.first?.reason.hasSuffix(" at [1]") == true)
        for text in ["{}", "7", "null"] {
            #expect(throws: NetworkError.self) {
                try engine.value(LossyArray<Int>.self, at: "", in: text, keys: .useDefaultKeys)
            }
        }
    }

    @Test func `a lossy array is encoded as an array of its elements`() throws {
        let page = Page(users: LossyArray([User(id: 1)], failures: [LossyArrayFailure(index: 1, reason: "r")]))
        #expect(String(decoding: try JSONEncoder().encode(page), as: UTF8.self) == #"{"users":[{"id":1}]}"#)
        #expect("\(page.users.failures)" == "[element 1: r]")
    }
}
