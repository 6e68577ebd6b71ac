import Foundation
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5)))
struct QueryStyleTests {
    @Test(arguments: [
        (QueryStyle.Arrays.brackets, "a[]=1&a[]=2"), (.noBrackets, "a=1&a=2"), (.indexed, "a[0]=1&a[1]=2"),
        (.custom { "\($0).\($1 + 1)" }, "a.1=1&a.2=2"),
    ])
    func `elements are named with the array style`(_ style: QueryStyle.Arrays, _ result: String) throws {
        try expect(["a": [1, 2]], gives: result) { $0.arrays = style }
    }

    @Test(arguments: [
        (QueryStyle.Bools.numeric, "f=0&t=1"), (.literal, "f=false&t=true"),
        (.custom { $0 ? "yes" : "no" }, "f=no&t=yes"),
    ])
    func `booleans are encoded with their style`(_ style: QueryStyle.Bools, _ result: String) throws {
        try expect(["t": true, "f": false], gives: result) { $0.bools = style }
    }

    @Test(arguments: [
        (QueryStyle.Dates.iso8601, "d=2026-01-31T12:00:00Z"), (.secondsSince1970, "d=1769860800.25"),
        (.millisecondsSince1970, "d=1769860800250"), (.deferredToDate, "d=791553600.25"),
        (.custom { "\(Int($0.timeIntervalSince1970))" }, "d=1769860800"), (.formatted(year), "d=2026"),
    ])
    func `dates are encoded with their style`(_ style: QueryStyle.Dates, _ result: String) throws {
        let date = Date(timeIntervalSince1970: 1_769_860_800.25)
        try expect(["d": date], gives: result) { $0.dates = style }
        try expect(encodable: ["d": date], gives: result) { $0.dates = style }
    }

    static let year = {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy"
        return formatter
    }()

    @Test(arguments: [
        (QueryStyle.Blobs.base64, "d=AQI="), (.deferredToData, "d[]=1&d[]=2"), (.custom { "\($0.count)" }, "d=2"),
    ])
    func `data is encoded with its style`(_ style: QueryStyle.Blobs, _ result: String) throws {
        try expect(["d": Data([1, 2])], gives: result) { $0.blobs = style }
        try expect(encodable: ["d": Data([1, 2])], gives: result) { $0.blobs = style }
    }

    static let words = ["userID", "URLString", "myURLProperty", "simple", "a1B", "already_snake", "ABC", "é", ""]

    @Test(arguments: [
        (QueryStyle.Keys.useDefaultKeys, words),
        (.snakeCase, ["user_id", "url_string", "my_url_property", "simple", "a1_b", "already_snake", "abc", "é", ""]),
        (.kebabCase, ["user-id", "url-string", "my-url-property", "simple", "a1-b", "already_snake", "abc", "é", ""]),
        (.capitalized, ["UserID", "URLString", "MyURLProperty", "Simple", "A1B", "Already_snake", "ABC", "É", ""]),
        (.uppercased, ["USERID", "URLSTRING", "MYURLPROPERTY", "SIMPLE", "A1B", "ALREADY_SNAKE", "ABC", "É", ""]),
        (.lowercased, ["userid", "urlstring", "myurlproperty", "simple", "a1b", "already_snake", "abc", "é", ""]),
        (.custom { "x" + $0 }, words.map { "x" + $0 }),
    ])
    func `names are encoded with the key style`(_ style: QueryStyle.Keys, _ results: [String]) throws {
        for (word, result) in zip(Self.words, results) {
            try expect([word: [word: 1]], gives: "\(result)[\(result)]=1") { $0.keys = style }
        }
    }

    @Test(arguments: [
        (QueryStyle.KeyPaths.brackets, "a[][b][c]=1"), (.dots, "a[].b.c=1"), (.custom { "\($1)<\($0)" }, "c<b<a[]=1"),
    ])
    func `nested names are joined with the key path style`(_ style: QueryStyle.KeyPaths, _ result: String) throws {
        try expect(["a": [["b": ["c": 1]]]], gives: result) { $0.keyPaths = style }
    }

    struct Absent: Encodable {
        var bool: Bool?
        var date: Date?
        var double: Double?
        var int: Int?
        var string: String?
        var uint8: UInt8?
    }

    @Test(arguments: [
        (QueryStyle.Nils.dropKey, "", ""),
        (.dropValue, "a=&b=&c[]=", "bool=&date=&double=&int=&string=&uint8="),
        (.asNull, "a=null&b=null&c[]=null", "bool=null&date=null&double=null&int=null&string=null&uint8=null"),
    ])
    func `nil is encoded with its style`(_ style: QueryStyle.Nils, _ result: String, _ encodable: String)
        throws
    {
        let nothing: Parameters = ["a": Int?.none, "b": NSNull(), "c": [String?.none]]
        try expect(nothing, gives: result) { $0.nils = style }
        try expect(encodable: Absent(), gives: encodable) { $0.nils = style }
    }

    @Test func `a space is %20, or a plus sign on request, and a plus sign is always escaped`() throws {
        #expect(try QueryEncoder().encode(["a b": "c +"]) == "a%20b=c%20%2B")
        var encoder = QueryEncoder()
        encoder.spaces = .plus
        #expect(try encoder.encode(["a b": "c +"]) == "a+b=c+%2B")
    }

    struct Zebra: Encodable {
        var z = 1
        var a = ["y": 1, "x": 2]
    }

    @Test func `properties are sorted unless configured otherwise, and dictionaries always`() throws {
        try expect(encodable: Zebra(), gives: "a[x]=2&a[y]=1&z=1") { _ in }
        try expect(encodable: Zebra(), gives: "z=1&a[x]=2&a[y]=1") { $0.sortsKeys = false }
    }

    @Test func `the error of a custom style is the cause`() {
        struct Refused: Error {}
        var encoder = QueryEncoder()
        encoder.dates = .custom { _ in throw Refused() }
        encoder.blobs = .custom { _ in throw Refused() }
        for parameters: Parameters in [["when": Date()], ["when": Data()]] {
            let error = #expect(throws: NetworkError.self) { try encoder.encode(parameters) }
            #expect(error?.kind == .encoding && error?.underlying is Refused && error?.reason.contains("when") == true)
        }
    }

    private func expect(_ parameters: Parameters, gives result: String, style: (inout QueryEncoder) -> Void) throws {
        var encoder = QueryEncoder()
        style(&encoder)
        #expect(try encoder.encode(parameters).removingPercentEncoding == result)
    }

    private func expect(
        encodable value: some Encodable,
        gives result: String,
        style: (inout QueryEncoder) -> Void
    ) throws {
        var encoder = QueryEncoder()
        style(&encoder)
        #expect(try encoder.encode(value as any Encodable).removingPercentEncoding == result)
    }
}
