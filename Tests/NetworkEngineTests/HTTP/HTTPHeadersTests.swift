import Foundation
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct HTTPHeadersTests {
    @Test func `a name is found in any case`() {
        let headers: HTTPHeaders = ["Content-Type": "text/plain"]
        #expect(headers["content-type"] == "text/plain")
        #expect(headers["CONTENT-TYPE"] == "text/plain")
        #expect(headers["Content_Type"] == nil)
    }

    @Test func `characters other than letters are compared exactly`() {
        let headers: HTTPHeaders = ["X-A[": "1"]
        #expect(headers["X-A{"] == nil)
    }

    @Test func `adding keeps existing values, in order`() {
        var headers: HTTPHeaders = ["A": "1"]
        headers.add("2", for: "b")
        headers.add("3", for: "a")
        #expect(headers.map(\.value) == ["1", "2", "3"])
        #expect(headers.values(for: "A") == ["1", "3"])
        #expect(headers["a"] == "1, 3")
    }

    @Test func `setting replaces every value at the position of the first`() {
        var headers: HTTPHeaders = ["A": "1", "B": "2"]
        headers.add("3", for: "a")
        headers["a"] = "4"
        #expect(headers.map { "\($0.name)=\($0.value)" } == ["a=4", "B=2"])
        headers["A"] = nil
        #expect(headers.map(\.name) == ["B"])
    }

    @Test func `merging replaces the values of common names`() {
        var other: HTTPHeaders = ["x": "2"]
        other.add("3", for: "X")
        let merged = (["X": "1", "Y": "9"] as HTTPHeaders).merging(other)
        #expect(merged.values(for: "x") == ["2", "3"])
        #expect(merged["y"] == "9")
    }

    @Test func `merged headers hide the secrets of both sides`() {
        var (headers, other): (HTTPHeaders, HTTPHeaders) = (["X-One": "hush"], ["X-Other": "hush"])
        headers.secrets = RequestSecrets(headers: ["X-One"])
        other.secrets = RequestSecrets(headers: ["X-Other"])
        #expect("\(headers.merging(other))" == "X-One: <redacted>\nX-Other: <redacted>")
        #expect("\((["X-One": "hush"] as HTTPHeaders).merging(other))" == "X-One: hush\nX-Other: <redacted>")
    }

    @Test func `equality ignores the case of names and not that of values`() {
        #expect((["Accept": "a"] as HTTPHeaders) == ["accept": "a"])
        #expect((["Accept": "a"] as HTTPHeaders) != ["accept": "A"])
        #expect(Set([["Accept": "a"] as HTTPHeaders, ["ACCEPT": "a"]]).count == 1)
    }

    @Test(arguments: [
        "Authorization", "cookie", "Set-Cookie", "X-Api-Key", "x-auth-token", "Proxy-Authorization", "X-CSRF-Token",
    ])
    func `a description hides secrets`(name: String) {
        let headers: HTTPHeaders = [name: "s3cret", "Accept": "text/plain"]
        #expect(!headers.description.contains("s3cret"))
        #expect(headers.description.contains("Accept: text/plain"))
        #expect(!String(reflecting: headers).contains("s3cret"))
        var dumped = ""
        dump(headers, to: &dumped)
        #expect(!dumped.contains("s3cret"))
    }

    @Test func `the description of a field hides a secret`() {
        let fields: [HTTPHeaders.Field] = [
            .authorization(bearer: "s3cret"), .init(name: "X-Api-Key", value: "s3cret"),
            .init(name: "Location", value: "/x?code=s3cret"),
        ]
        var dumped = ""
        dump(fields, to: &dumped)
        for text in ["\(fields)", String(reflecting: fields), dumped] { #expect(!text.contains("s3cret"), "\(text)") }
        #expect("\(fields)" == "[Authorization: <redacted>, X-Api-Key: <redacted>, Location: /x?code=<redacted>]")
    }

    @Test(arguments: [
        ("a", "a"), ("", ""), (" \t", ""), (" a b\t ", "a b"), ("a\rb", "a b"), ("\r\na\r\n", "a"), ("a\0", "a"),
        ("ü\r\n 🙂 ", "ü   🙂"),
    ])
    func `a received value has no line breaks and no surrounding blanks`(given: String, value: String) {
        #expect(given.receivedFieldValue == value)
    }

    @Test func `a dictionary stands where headers are expected, and so does an optional one`() throws {
        let dictionary = ["B": "2", "A": "1"]
        let optional: [String: String]? = dictionary
        let url = try #require(URL(string: "http://api.test"))
        let request = HTTPRequest(method: .put, url: url, headers: dictionary, timeout: .seconds(1))
        let response = HTTPResponse(statusCode: 200, headers: optional, request: request)
        #expect(request.headers == ["A": "1", "B": "2"] && request.timeout == .seconds(1))
        #expect(response.headers == request.headers)
        let none: [String: String]? = nil
        #expect(HTTPRequest(url: url, headers: none).headers.isEmpty)
    }

    @Test func `a literal keeps its order and its duplicates`() throws {
        let url = try #require(URL(string: "http://api.test"))
        let request = HTTPRequest(url: url, headers: ["B": "1", "A": "2", "b": "3"])
        #expect(request.headers.map(\.name) == ["B", "A", "b"])
        let response = HTTPResponse(
            statusCode: 200, headers: ["Set-Cookie": "a=1", "set-cookie": "b=2"], request: request)
        #expect(response.headers.values(for: "Set-Cookie") == ["a=1", "b=2"])
    }

    @Test func `fields can be written in words`() {
        let headers: HTTPHeaders = [
            .accept("image/webp", "image/*;q=0.5"), .acceptLanguage("de", "en;q=0.8"), .authorization(bearer: "t"),
            .cacheControl("no-cache", "no-store"), .contentType("text/plain"), .ifMatch("\"a\""), .ifNoneMatch("*"),
            .range(0...99), .userAgent("App/1"),
        ]
        let same: HTTPHeaders = [
            "Accept": "image/webp, image/*;q=0.5", "Accept-Language": "de, en;q=0.8", "Authorization": "Bearer t",
            "Cache-Control": "no-cache, no-store", "Content-Type": "text/plain", "If-Match": "\"a\"",
            "If-None-Match": "*", "Range": "bytes=0-99", "User-Agent": "App/1",
        ]
        #expect(headers == same)
        #expect(HTTPHeaders([.authorization(username: "Ä", password: "p:q")])["Authorization"] == "Basic w4Q6cDpx")
        #expect(!"\(headers)".contains("Bearer t"))
        let none: HTTPHeaders = []
        #expect(none.isEmpty)
    }
}
