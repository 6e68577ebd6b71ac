import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)), .disabled(if: ThreadSanitizer.isWatching, "runs on one thread"))
struct RedirectTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var method: HTTPMethod
        var status: Int
        var next: HTTPMethod?
        var testDescription: String { "\(method) \(status)" }
    }

    /// Every method with every status; `next` is the method of the next hop, `nil` if there is none.
    static let table: [Case] = {
        let methods: [HTTPMethod] = [.get, .head, .post, .put, .delete, .patch, .query, .options]
        return [300, 301, 302, 303, 304, 305, 307, 308].flatMap { status in
            methods.map { method in
                let next: HTTPMethod? =
                    switch (status, method) {
                    case (300, _), (304, _), (305, _): nil
                    case (301, .post), (302, .post): .get
                    case (303, .head): .head
                    case (303, _): .get
                    default: method
                    }
                return Case(method: method, status: status, next: next)
            }
        }
    }()

    static let origin = URL(string: "https://a.example/x/y?q=1#part")!

    private func next(
        _ status: Int = 302,
        _ location: String? = "https://a.example/z",
        from request: HTTPRequest = HTTPRequest(url: origin),
        policy: RedirectPolicy = .follow
    ) throws(NetworkError) -> HTTPRequest? {
        var response = HTTPResponse(statusCode: status, request: request)
        if let location { response.headers["Location"] = location }
        return try Redirect.next(after: response, to: request, policy: policy)
    }

    @Test(arguments: table)
    func `the status of a redirect decides about method and body`(row: Case) throws {
        let request = HTTPRequest(
            method: row.method,
            url: Self.origin,
            headers: ["Content-Type": "text/plain", "Content-Language": "en", "Accept": "a"],
            body: .data(Data("b".utf8))
        )
        let hop = try next(row.status, from: request)
        #expect(hop?.method == row.next)
        guard let hop else { return }
        let isRewritten = row.next != row.method
        #expect(hop.body.isAbsent == isRewritten)
        #expect(hop.headers.contains("Content-Type") != isRewritten)
        #expect(hop.headers.contains("Content-Language") != isRewritten)
        #expect(hop.headers["Accept"] == "a")
    }

    @Test(arguments: [
        ("z", "https://a.example/x/z#part"), ("./z", "https://a.example/x/z#part"),
        ("../z", "https://a.example/z#part"), ("../../../z", "https://a.example/z#part"),
        ("/z", "https://a.example/z#part"), ("?q=2", "https://a.example/x/y?q=2#part"),
        ("#other", "https://a.example/x/y?q=1#other"), ("//b.example/z", "https://b.example/z#part"),
        ("/a%2Fb", "https://a.example/a%2Fb#part"), ("/a b", "https://a.example/a%20b#part"),
        ("/ü", "https://a.example/%C3%BC#part"), ("/z#own", "https://a.example/z#own"),
        ("HTTPS://A.example/z", "HTTPS://A.example/z#part"),
        ("https://a.example/w/../z/.", "https://a.example/z/#part"),
    ])
    func `a relative Location is resolved by RFC 3986`(location: String, expected: String) throws {
        #expect(try next(302, location)?.url.absoluteString == expected)
    }

    @Test(arguments: [
        ("/a%20b|c", "/a%20b%7Cc"), ("/a%2fb{x}", "/a%2fb%7Bx%7D"), ("/a%41[1]^", "/a%41%5B1%5D%5E"),
        ("/%C3%BC\\>", "/%C3%BC%5C%3E"), ("/%3C<`", "/%3C%3C%60"), ("/50%/a%20b", "/50%25/a%20b"),
        ("/%%41%4/%zz", "/%25%41%254/%25zz"), ("/ü%20\"\t", "/%C3%BC%20%22%09"),
        ("/f?sig=a%2Bb%2F&n=x|y[0]", "/f?sig=a%2Bb%2F&n=x%7Cy%5B0%5D"), ("/f?q=100%&r=%25", "/f?q=100%25&r=%25"),
        ("/f?a?b#c|d%20e#f", "/f?a?b#c%7Cd%20e%23f"), ("\\\\b.example/%20|", "/x/%5C%5Cb.example/%20%7C"),
    ])
    func `existing escapes in a Location stay, and the rest is escaped once`(location: String, expected: String) throws
    {
        let base = expected.contains("#") ? "" : "#part"
        #expect(try next(302, location)?.url.absoluteString == "https://a.example" + expected + base)
        guard location.hasPrefix("/") else { return }
        #expect(
            try next(302, "//b.example:81" + location)?.url.absoluteString == "https://b.example:81" + expected + base)
        let absolute = "https://b.example" + location
        #expect(try next(302, absolute)?.url.absoluteString == "https://b.example" + expected + base)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `any Location keeps valid escapes and loses forbidden characters`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let awkward = Array("%%%%20aFg7?&=+/;:@[]{}|\\^`\"'<> ,!$*()~-_\r\n\t\0\u{7F}üñ日🙂\u{301}")
        let forbidden = Set("[]{}|\\^`\"<> \r\n\t\0\u{7F}".utf8)
        for _ in 0..<500 {
            let text =
                "x"
                + String(
                    (0..<Int.random(in: 0...16, using: &random)).compactMap { _ in awkward.randomElement(using: &random)
                    })
            let hop = try #require(try next(302, "https://a.example/" + text + "#"))
            let sent = try #require(hop.url.absoluteString.split(separator: "/", maxSplits: 2).last).dropLast()
            #expect(sent.utf8.allSatisfy { $0 < 0x80 && !forbidden.contains($0) }, "\(sent)")
            #expect(
                Self.tokens(of: String(sent)).elementsEqual(Self.tokens(of: text)) { sent, given in
                    sent == given || (!given.isEscape && sent.isEscape && sent.byte == given.byte)
                }, "\(text.debugDescription) became \(sent)")
        }
    }

    /// A text's bytes, unchanged.
    private struct Token: Equatable {
        let text: [UInt8]
        var isEscape: Bool { text.count == 3 }
        var byte: UInt8? { isEscape ? UInt8(String(decoding: text.dropFirst(), as: UTF8.self), radix: 16) : text.first }
    }

    private static func tokens(of text: String) -> [Token] {
        var rest = Array(text.utf8)[...]
        var tokens: [Token] = []
        while let first = rest.first {
            let digits = rest.dropFirst().prefix(2)
            let isEscape =
                first == 0x25 && digits.count == 2 && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
            tokens.append(Token(text: Array(rest.prefix(isEscape ? 3 : 1))))
            rest = rest.dropFirst(isEscape ? 3 : 1)
        }
        return tokens
    }

    @Test(arguments: [
        "ftp://a.example/", "file:///etc/passwd", "javascript:alert(1)", "data:text/plain,a", "http:///z",
        "https://u:p@a.example/", "//%127.0.0.1",
    ])
    func `a forbidden address is refused`(location: String) throws {
        let error = #expect(throws: NetworkError.self) { try next(302, location) }
        #expect(error?.kind == .redirect)
        #expect(error?.statusCode == 302)
    }

    @Test func `a 3xx without a Location is the response`() throws {
        #expect(try next(302, nil) == nil)
        #expect(try next(302, "") == nil)
    }

    @Test func `two different Locations are refused`() {
        let request = HTTPRequest(url: Self.origin)
        var response = HTTPResponse(statusCode: 302, headers: ["Location": "/a"], request: request)
        response.headers.add("/b", for: "location")
        #expect(throws: NetworkError.self) { try Redirect.next(after: response, to: request, policy: .follow) }
    }

    @Test func `a Location of 100 KB is refused`() {
        #expect(throws: NetworkError.self) { try next(302, "/" + String(repeating: "a", count: 100_000)) }
    }

    @Test func `https leads to http only when allowed, http to https always`() throws {
        #expect(throws: NetworkError.self) { try next(302, "http://a.example/z") }
        var policy = RedirectPolicy.follow
        policy.allowsInsecureDowngrade = true
        #expect(try next(302, "http://a.example/z", policy: policy) != nil)
        let insecure = HTTPRequest(url: try #require(URL(string: "http://a.example/")))
        #expect(try next(302, "https://a.example/", from: insecure) != nil)
    }

    @Test(arguments: [
        ("https://b.example/z", false), ("https://a.example:444/z", false), ("https://sub.a.example/z", false),
        ("https://a.example:443/z", true), ("https://A.EXAMPLE/z", true), ("/z", true),
    ])
    func `secrets are removed when the origin changes`(location: String, keeps: Bool) throws {
        let headers: HTTPHeaders = [
            "Authorization": "s", "Proxy-Authorization": "s", "Cookie": "s", "Origin": "s", "X-Api-Key": "s",
            "X-Auth-Token": "s", "Host": "a.example",
        ]
        var request = HTTPRequest(url: Self.origin, headers: headers)
        request.headers["Accept"] = "kept"
        let hop = try #require(try next(302, location, from: request))
        #expect(hop.headers["Accept"] == "kept")
        for field in headers { #expect(hop.headers.contains(field.name) == keeps, "\(field.name)") }
    }

    @Test(arguments: [307, 308])
    func `a body that cannot be sent twice is an error, never an empty body`(status: Int) {
        let stream = BodyStream(isReplayable: false) { AsyncThrowingStream { $0.finish() } }
        let request = HTTPRequest(method: .post, url: Self.origin, body: .stream(stream))
        let error = #expect(throws: NetworkError.self) { try next(status, from: request) }
        #expect(error?.kind == .redirect)
    }
}
