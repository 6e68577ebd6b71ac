import Foundation
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5)))
struct URLJoiningTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let base: String
        let path: String
        let query: String?
        let result: String
        var testDescription: String { "\(base) + \(path.debugDescription) + \(query ?? "-")" }

        init(_ base: String, _ path: String, _ query: String? = nil, gives result: String) {
            self.base = base
            self.path = path
            self.query = query
            self.result = result
        }
    }

    static let emptyPaths = [
        Case("https://e.com", "", gives: "https://e.com"),
        Case("https://e.com/", "", gives: "https://e.com/"),
        Case("https://e.com/api", "", gives: "https://e.com/api"),
        Case("https://e.com/api/", "", gives: "https://e.com/api/"),
        Case("https://e.com/api//", "", gives: "https://e.com/api//"),
        Case("https://e.com/?", "", gives: "https://e.com/?"),
        Case("https://e.com/x?a=1&", "", gives: "https://e.com/x?a=1&"),
        Case("https://e.com", "", "key=value", gives: "https://e.com?key=value"),
        Case("https://e.com/", "", "key=value", gives: "https://e.com/?key=value"),
        Case("https://e.com", "", "", gives: "https://e.com"),
    ]

    static let slashes = [
        Case("https://e.com", "users", gives: "https://e.com/users"),
        Case("https://e.com", "/users", gives: "https://e.com/users"),
        Case("https://e.com/", "users", gives: "https://e.com/users"),
        Case("https://e.com/", "/users", gives: "https://e.com/users"),
        Case("https://e.com/api", "/users", gives: "https://e.com/api/users"),
        Case("https://e.com/api/", "/users", gives: "https://e.com/api/users"),
        Case("https://e.com/api/", "users/", gives: "https://e.com/api/users/"),
        Case("https://e.com/api//", "users", gives: "https://e.com/api/users"),
        Case("https://e.com/api", "/", gives: "https://e.com/api/"),
        Case("https://e.com", "/", gives: "https://e.com/"),
        Case("https://e.com", "a//b", gives: "https://e.com/a//b"),
        Case("https://e.com/a//b", "c", gives: "https://e.com/a//b/c"),
    ]

    static let queries = [
        Case("https://e.com", "/s?q=1", gives: "https://e.com/s?q=1"),
        Case("https://e.com", "?q=1", gives: "https://e.com?q=1"),
        Case("https://e.com/api", "?q=1", gives: "https://e.com/api?q=1"),
        Case("https://e.com/?t=0", "/s", gives: "https://e.com/s?t=0"),
        Case("https://e.com?t=0", "s?q=1", "p=2", gives: "https://e.com/s?t=0&q=1&p=2"),
        Case("https://e.com?t=0", "", "p=2", gives: "https://e.com?t=0&p=2"),
        Case("https://e.com", "/s?", gives: "https://e.com/s?"),
        Case("https://e.com", "/s?", "p=2", gives: "https://e.com/s?p=2"),
        Case("https://e.com", "/s?a&", "p=2", gives: "https://e.com/s?a&p=2"),
        Case("https://e.com?a=1", "/s?", "p=2", gives: "https://e.com/s?a=1&p=2"),
        Case("https://e.com", "/s?u=https://x.org/?y", gives: "https://e.com/s?u=https://x.org/?y"),
        Case("https://e.com", "/s?a=1;b=2&&c=!$'()*,@:", gives: "https://e.com/s?a=1;b=2&&c=!$'()*,@:"),
        Case("https://e.com", "/s?a+b=c%2Bd%20e", gives: "https://e.com/s?a+b=c%2Bd%20e"),
        Case("https://e.com", "/s?a[]=1&b=x y", gives: "https://e.com/s?a%5B%5D=1&b=x%20y"),
        Case("https://e.com", "/s?b=2&a=1&b=1", gives: "https://e.com/s?b=2&a=1&b=1"),
    ]

    static let escapes = [
        Case("https://e.com", "/a%2Fb", gives: "https://e.com/a%2Fb"),
        Case("https://e.com/x%2Fy", "/a%2fb", gives: "https://e.com/x%2Fy/a%2fb"),
        Case("https://e.com", "/100%", gives: "https://e.com/100%25"),
        Case("https://e.com", "/100%zz/%4", gives: "https://e.com/100%25zz/%254"),
        Case("https://e.com", "/%%41", gives: "https://e.com/%25%41"),
        Case("https://e.com", "/s?q=50%&r=%41", gives: "https://e.com/s?q=50%25&r=%41"),
        Case("https://e.com", "/ü/日本/🙂", gives: "https://e.com/%C3%BC/%E6%97%A5%E6%9C%AC/%F0%9F%99%82"),
        Case("https://e.com", "/s?q=ü", gives: "https://e.com/s?q=%C3%BC"),
        Case("https://e.com", "/e\u{301}", gives: "https://e.com/e%CC%81"),
        Case("https://e.com", "/a b", gives: "https://e.com/a%20b"),
        Case("https://e.com", "/a+b", gives: "https://e.com/a+b"),
        Case("https://e.com", "/a[1]|{x}^`\"<>\\", gives: "https://e.com/a%5B1%5D%7C%7Bx%7D%5E%60%22%3C%3E%5C"),
        Case("https://e.com", "/-._~!$&'()*+,;=:@", gives: "https://e.com/-._~!$&'()*+,;=:@"),
        Case("https://e.com", "/a\r\nX-Evil: 1", gives: "https://e.com/a%0D%0AX-Evil:%201"),
        Case("https://e.com", "/a\0b\u{7F}\t", gives: "https://e.com/a%00b%7F%09"),
        Case("https://e.com", "/s?a=\r\n\0", gives: "https://e.com/s?a=%0D%0A%00"),
        Case("https://e.com", "/%0d%0a", gives: "https://e.com/%0d%0a"),
        Case("https://e.com", "/\r\nSet", gives: "https://e.com/%0D%0ASet"),
        Case("https://e.com", " ", gives: "https://e.com/%20"),
    ]

    static let dots = [
        Case("https://e.com/api", "../x", gives: "https://e.com/x"),
        Case("https://e.com/api", "/./x/..", gives: "https://e.com/api/"),
        Case("https://e.com/a/../b", "", gives: "https://e.com/b"),
        Case("https://e.com/a/../b?c=/../d", "x", "y=/./", gives: "https://e.com/b/x?c=/../d&y=/./"),
        Case("https://e.com", "/../../x", gives: "https://e.com/x"),
        Case("https://e.com", "/a/b/.", gives: "https://e.com/a/b/"),
        Case("https://e.com", "/..", gives: "https://e.com/"),
        Case("https://e.com", "/a//../b", gives: "https://e.com/a/b"),
        Case("https://e.com", "/a/.../b/..c/.d", gives: "https://e.com/a/.../b/..c/.d"),
        Case("https://e.com", "https://o.org/a/../b", gives: "https://o.org/b"),
        Case("https://e.com/api", "/%2E%2E/x", gives: "https://e.com/api/%2E%2E/x"),
    ]

    static let overrides = [
        Case("https://e.com/api", "https://o.org/x", gives: "https://o.org/x"),
        Case("https://e.com/api?t=0", "http://o.org:81/x?y=1", "z=2", gives: "http://o.org:81/x?y=1&z=2"),
        Case("https://e.com", "HTTPS://o.org/x", gives: "https://o.org/x"),
        Case("https://e.com", "hTtP://o.org", gives: "http://o.org"),
        Case("https://e.com", "https://o.org/a b#top", gives: "https://o.org/a%20b"),
        Case("https://e.com", "https://o.org?next=%2Fx#a?b", gives: "https://o.org?next=%2Fx"),
        Case("https://e.com", "//o.org/x", gives: "https://e.com/o.org/x"),
        Case("https://e.com/api", "///o.org", gives: "https://e.com/api/o.org"),
        Case("https://e.com", "ftp://o.org/x", gives: "https://e.com/ftp://o.org/x"),
        Case("https://e.com", "javascript:alert(1)", gives: "https://e.com/javascript:alert(1)"),
        Case("https://e.com", "a:b", gives: "https://e.com/a:b"),
        Case("https://e.com", "https:/o.org", gives: "https://e.com/https:/o.org"),
        Case("https://e.com", "https:o.org", gives: "https://e.com/https:o.org"),
        Case("https://e.com", " https://o.org", gives: "https://e.com/%20https://o.org"),
        Case("https://e.com", "/https://o.org", gives: "https://e.com/https://o.org"),
        Case("https://e.com", "@o.org", gives: "https://e.com/@o.org"),
        Case("https://e.com", ":80", gives: "https://e.com/:80"),
        Case("https://e.com", "\\\\o.org", gives: "https://e.com/%5C%5Co.org"),
        Case("https://e.com", ".o.org", gives: "https://e.com/.o.org"),
    ]

    static let fragments = [
        Case("https://e.com/#top", "", gives: "https://e.com/"),
        Case("https://e.com#top", "/x", gives: "https://e.com/x"),
        Case("https://e.com/a?b=1#c?d", "/x", gives: "https://e.com/a/x?b=1"),
        Case("https://e.com", "/tags/c#", gives: "https://e.com/tags/c%23"),
        Case("https://e.com", "/s?q=#1", gives: "https://e.com/s?q=%231"),
        Case("https://e.com", "/a#b?c=1", gives: "https://e.com/a%23b?c=1"),
    ]

    static let hosts = [
        Case("http://[::1]:8080", "/x", gives: "http://[::1]:8080/x"),
        Case("http://[fe80::1%25en0]/a", "x", gives: "http://[fe80::1%25en0]/a/x"),
        Case("http://[::1]", "?a=1", gives: "http://[::1]?a=1"),
        Case("http://127.0.0.1:1/", "x", gives: "http://127.0.0.1:1/x"),
        Case("HTTP://E.com", "/x", gives: "http://E.com/x"),
        Case("HTTPS://e.com", "", gives: "https://e.com"),
        Case("https://e.com:65535", "/x", gives: "https://e.com:65535/x"),
        Case("https://e.com.:443", "/x", gives: "https://e.com.:443/x"),
        Case("https://u:p@e.com", "/x", gives: "https://u:p@e.com/x"),
        Case("https://exämple.com", "/ü", gives: "https://xn--exmple-cua.com/%C3%BC"),
        Case("https://e.com", "https://exämple.com/%2F%", gives: "https://xn--exmple-cua.com/%2F%25"),
    ]

    @Test(arguments: emptyPaths)
    func `an empty path leaves the base untouched`(_ row: Case) throws { try check(row) }

    @Test(arguments: slashes)
    func `exactly one slash separates base and path`(_ row: Case) throws { try check(row) }

    @Test(arguments: queries)
    func `queries of base, path and parameters are kept in this order`(_ row: Case) throws { try check(row) }

    @Test(arguments: escapes)
    func `existing escapes stay, and illegal characters are escaped once`(_ row: Case) throws { try check(row) }

    @Test(arguments: dots)
    func `dot segments are resolved, as in every transport`(_ row: Case) throws { try check(row) }

    @Test(arguments: overrides)
    func `only an http or https address as the path replaces the base`(_ row: Case) throws { try check(row) }

    @Test(arguments: fragments)
    func `a fragment is never sent, and a # in a path is escaped`(_ row: Case) throws { try check(row) }

    @Test(arguments: hosts)
    func `hosts and ports of every form are kept`(_ row: Case) throws { try check(row) }

    @Test func `a base, a path and one parameter give exactly the expected address`() throws {
        let query = try QueryEncoder().encode(["key": "value"])
        try check(Case("https://example.com", "/path", query, gives: "https://example.com/path?key=value"))
    }

    @Test(arguments: [
        ("example.com", "no scheme"), ("/only/path", "no scheme"), ("ftp://e.com", "ftp"),
        ("file:///etc/passwd", "file"),
        ("https:///x", "no host"), ("https:x", "no host"), ("https://:80", "no host"), ("https://u@", "no host"),
        ("https://e.com:0", "port"), ("https://e.com:99999", "port"), ("https://e%0D%0A.com", "percent sign"),
    ])
    func `an unusable base is refused with the reason`(_ base: String, _ word: String) throws {
        let base = try #require(URL(string: base))
        let error = #expect(throws: NetworkError.self) { try URLJoining.join(base: base, path: "/x") }
        #expect(error?.kind == .invalidRequest)
        #expect(error?.reason.contains(word) == true, "\(error?.reason ?? "")")
        #expect(error?.reason.contains("baseURL") == true)
    }

    @Test(arguments: [
        "https://", "https:///x", "https://e.com:abc", "https://e.com:+80", "https://e .com", "https://e.com\\@o.org/x",
        "https://e.com\r\n/x", "https://[::1/x", "https://[::1]x/y", "http://?x", "https://e.com:80:80",
    ])
    func `an absolute path that is not a URL is refused`(_ path: String) throws {
        let base = try #require(URL(string: "https://e.com"))
        let error = #expect(throws: NetworkError.self) { try URLJoining.join(base: base, path: path) }
        #expect(error?.kind == .invalidRequest)
        #expect(error?.reason.contains("absolute path") == true)
    }

    @Test func `a base relative to another is resolved first`() throws {
        let base = try #require(URL(string: "api/", relativeTo: URL(string: "https://e.com/v1/")))
        #expect(try URLJoining.join(base: base, path: "x").absoluteString == "https://e.com/v1/api/x")
        #expect(try URLJoining.join(base: base, path: "").absoluteString == "https://e.com/v1/api/")
    }

    @Test func `joining an already joined address changes nothing`() throws {
        for row in Self.escapes + Self.queries + Self.overrides {
            let once = try #require(URL(string: row.result))
            #expect(try URLJoining.join(base: once, path: "").absoluteString == row.result)
        }
    }

    private func check(_ row: Case) throws {
        let base = try #require(URL(string: row.base))
        let url = try URLJoining.join(base: base, path: row.path, query: row.query)
        #expect(url.absoluteString == row.result)
    }
}
