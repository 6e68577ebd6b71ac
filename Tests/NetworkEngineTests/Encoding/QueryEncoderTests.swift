import Foundation
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5)))
struct QueryEncoderTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let parameters: Parameters
        let result: String
        var testDescription: String { result }

        init(_ parameters: Parameters, gives result: String) {
            self.parameters = parameters
            self.result = result
        }
    }

    enum Plain: String { case one }
    enum Coded: Int, Encodable { case two = 2 }
    struct Point: Encodable {
        var y = 2
        var x = 1
    }

    static let scalars = [
        Case([:], gives: ""),
        Case(["a": "b"], gives: "a=b"),
        Case(["a": ""], gives: "a="),
        Case(["": "b"], gives: "=b"),
        Case(["n": -1, "u": UInt64.max, "s": Int8.min], gives: "n=-1&s=-128&u=18446744073709551615"),
        Case(["d": 1.5, "e": 5.0, "f": Float(0.1), "g": 1e20], gives: "d=1.5&e=5.0&f=0.1&g=1e%2B20"),
        Case(["t": true, "f": false], gives: "f=0&t=1"),
        Case(["m": Decimal(string: "1234567890.123456789")], gives: "m=1234567890.123456789"),
        Case(["u": URL(string: "https://e.com/?a=b")], gives: "u=https%3A%2F%2Fe.com%2F%3Fa%3Db"),
        Case(
            ["i": UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")],
            gives: "i=E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        ),
        Case(["s": "abc".dropFirst(), "c": Character("é")], gives: "c=%C3%A9&s=bc"),
        Case(["d": Date(timeIntervalSince1970: 0.5)], gives: "d=1970-01-01T00%3A00%3A00Z"),
        Case(["d": Data([0xFB, 0xFF])], gives: "d=%2B%2F8%3D"),
        Case(["p": Plain.one, "c": Coded.two], gives: "c=2&p=one"),
        Case(["b": NSNumber(value: true), "i": NSNumber(value: 1), "d": NSNumber(value: 1.5)], gives: "b=1&d=1.5&i=1"),
        Case(["some": Int?.some(4), "deep": Int??.some(.some(5))], gives: "deep=5&some=4"),
    ]

    static let nested = [
        Case(["a": [1, 2]], gives: "a%5B%5D=1&a%5B%5D=2"),
        Case(["a": [] as [Int], "o": [:] as [String: Int]], gives: ""),
        Case(["o": ["y": 2, "x": 1]], gives: "o%5Bx%5D=1&o%5By%5D=2"),
        Case(["o": ["p": ["q": "r"]]], gives: "o%5Bp%5D%5Bq%5D=r"),
        Case(["a": [["k": 1], ["k": 2]]], gives: "a%5B%5D%5Bk%5D=1&a%5B%5D%5Bk%5D=2"),
        Case(["a": [[1], [2, 3]]], gives: "a%5B%5D%5B%5D=1&a%5B%5D%5B%5D=2&a%5B%5D%5B%5D=3"),
        Case(["m": [1, "x", true] as [any Sendable]], gives: "m%5B%5D=1&m%5B%5D=x&m%5B%5D=1"),
        Case(["m": ["n": 1, "s": "x"] as Parameters], gives: "m%5Bn%5D=1&m%5Bs%5D=x"),
        Case(["s": Set(["b", "c", "a"])], gives: "s%5B%5D=a&s%5B%5D=b&s%5B%5D=c"),
        Case(["p": Point()], gives: "p%5Bx%5D=1&p%5By%5D=2"),
        Case(["p": [Point()]], gives: "p%5B%5D%5Bx%5D=1&p%5B%5D%5By%5D=2"),
        Case(["d": [2: "b", 1: "a"]], gives: "d%5B1%5D=a&d%5B2%5D=b"),
        Case(["r": 1..<3], gives: "r%5B%5D=1&r%5B%5D=3"),
    ]

    static let escapes = [
        Case(["q": "+ & = #"], gives: "q=%2B%20%26%20%3D%20%23"),
        Case(["q": "/?:@[]!$'()*,;"], gives: "q=%2F%3F%3A%40%5B%5D%21%24%27%28%29%2A%2C%3B"),
        Case(["q": "-._~aZ09"], gives: "q=-._~aZ09"),
        Case(["q": "%41\r\n\0"], gives: "q=%2541%0D%0A%00"),
        Case(["q": "ü🙂"], gives: "q=%C3%BC%F0%9F%99%82"),
        Case(["a&b=c": "1"], gives: "a%26b%3Dc=1"),
    ]

    @Test(arguments: scalars)
    func `each value is encoded by its type`(_ row: Case) throws { try check(row) }

    @Test(arguments: nested)
    func `arrays and dictionaries are encoded with bracketed names`(_ row: Case) throws { try check(row) }

    @Test(arguments: escapes)
    func `everything but letters, digits and -._~ is escaped`(_ row: Case) throws { try check(row) }

    struct Rejected: CustomTestStringConvertible, Sendable {
        let parameters: Parameters
        let words: [String]
        var testDescription: String { words.joined(separator: " ") }
    }

    struct Opaque: Sendable {}

    static let rejected = [
        Rejected(parameters: ["bad": Double.nan], words: ["\"bad\"", "finite"]),
        Rejected(parameters: ["bad": -Float.infinity], words: ["\"bad\"", "finite"]),
        Rejected(parameters: ["bad": Decimal.nan], words: ["\"bad\"", "finite"]),
        Rejected(parameters: ["bad": NSNumber(value: Double.nan)], words: ["\"bad\"", "finite"]),
        Rejected(parameters: ["bad": Opaque()], words: ["\"bad\"", "Opaque"]),
        Rejected(parameters: ["o": ["a": [Opaque()]]], words: ["\"o.a.0\"", "Opaque"]),
        Rejected(parameters: ["p": ["x": 1, "y": Double.nan]], words: ["\"p.y\"", "finite"]),
        Rejected(parameters: ["d": Date(timeIntervalSince1970: .nan)], words: ["\"d\"", "years"]),
        Rejected(parameters: ["d": Date(timeIntervalSince1970: 1.7e12)], words: ["\"d\"", "years"]),
        Rejected(parameters: ["deep": nest(70)], words: ["deeper than 64"]),
        Rejected(parameters: ["e": Chain(depth: 70)], words: ["deeper than 64"]),
        Rejected(parameters: ["e": ["inner": Failing()]], words: ["inner"]),
    ]

    static func nest(_ depth: Int) -> any Sendable { (0..<depth).reduce(1 as any Sendable) { inner, _ in [inner] } }

    struct Chain: Encodable {
        let depth: Int
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            if depth > 0 { try container.encode(Chain(depth: depth - 1)) }
        }
    }

    struct Failing: Encodable {
        func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue(self, .init(codingPath: encoder.codingPath, debugDescription: "secret"))
        }
    }

    @Test(arguments: rejected)
    func `a value that cannot be encoded is an error that names it`(_ row: Rejected) {
        let error = #expect(throws: NetworkError.self) { try QueryEncoder().encode(row.parameters) }
        #expect(error?.kind == .encoding)
        for word in row.words { #expect(error?.reason.contains(word) == true, "\(error?.reason ?? "")") }
        #expect(error?.reason.contains("secret") == false)
    }

    @Test func `the same parameters always give the same text`() throws {
        let names = (0..<50).map { "key\($0)" }
        let texts = try (0..<10).map { _ in
            let pairs = names.shuffled().map { ($0, ["b": 1, "a": 2] as any Sendable) }
            return try QueryEncoder().encode(Parameters(uniqueKeysWithValues: pairs))
        }
        #expect(Set(texts).count == 1)
    }

    struct Anonymous: Encodable, Hashable, CustomStringConvertible {
        let number: UInt8
        var description: String { "something" }
    }

    @Test func `the elements of a set are sorted by all of their content`() throws {
        var encoder = QueryEncoder()
        encoder.dates = .millisecondsSince1970
        func text(_ parameters: Parameters) throws -> String? { try encoder.encode(parameters).removingPercentEncoding }
        let numbers: [UInt8] = Array(10..<30)
        let blobs = numbers.map { Data([$0, 0]) }
        let dates = numbers.map { Date(timeIntervalSince1970: Double($0) / 100) }
        let values = numbers.map { Anonymous(number: $0) }
        #expect(
            try text(["b": Set(blobs)])
                == blobs.map { "b[]=\($0.base64EncodedString())" }.joined(separator: "&"))
        #expect(try text(["d": Set(dates)]) == numbers.map { "d[]=\($0)0" }.joined(separator: "&"))
        #expect(try text(["v": Set(values)]) == numbers.map { "v[][number]=\($0)" }.joined(separator: "&"))
    }

    private func check(_ row: Case) throws {
        #expect(try QueryEncoder().encode(row.parameters) == row.result)
    }

    @Test(arguments: [QueryStyle.Spaces.percentEncoded, .plus])
    func `characters without a meaning stay if the encoder says so`(spaces: QueryStyle.Spaces) throws {
        var encoder = QueryEncoder()
        encoder.spaces = spaces
        encoder.unescapedCharacters = [",", "[", "]", ":", "/", "&", "=", "+", "%", "#", " ", "ä", "\"", "\u{0}", "\n"]
        let blank = if case .plus = spaces { "+" } else { "%20" }
        #expect(try encoder.encode(["a": ["1,2:/"]]) == "a[]=1,2:/")
        #expect(try encoder.encode(["a": "&=+%# ä\"\u{0}\n;"]) == "a=%26%3D%2B%25%23\(blank)%C3%A4%22%00%0A%3B")
        let url = try URLJoining.join(
            base: try #require(URL(string: "http://a.test")), path: "/b",
            query: encoder.encode(["ids": ["1,2", "[3]"]]))
        #expect(url.absoluteString == "http://a.test/b?ids%5B%5D=1,2&ids%5B%5D=%5B3%5D")
    }
}
