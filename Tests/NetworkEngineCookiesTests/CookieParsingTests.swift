import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCookies

@Suite(.timeLimit(.minutes(5))) struct CookieParsingTests {
    private func cookie(_ header: String) -> Cookie? {
        Cookie(header: header, defaultPath: "/default", now: CookieJar.moment)
    }

    @Test(arguments: [
        ("foo=bar", "foo=bar"), (" foo = bar ", "foo=bar"), ("\tfoo\t=\tbar\t", "foo=bar"), ("foo=", "foo="),
        ("foo=bar=baz", "foo=bar=baz"), ("foo==bar", "foo==bar"), ("foo=\"bar\"", "foo=\"bar\""),
        ("foo=\"a;b\"", "foo=\"a"), ("foo=\" bar \"", "foo=\" bar \""), ("foo", "foo"), ("=foo", "foo"),
        (" = foo", "foo"), ("foo bar=baz qux", "foo bar=baz qux"), ("foo\tbar=a\tb", "foo\tbar=a\tb"),
        ("foo=bar;", "foo=bar"), ("foo=bar; ; ;", "foo=bar"), ("foo=b,ar", "foo=b,ar"), ("föö=bär", "föö=bär"),
        ("\"foo\"=1", "\"foo\"=1"), ("a,b=c", "a,b=c"), ("foo=bar; baz=qux", "foo=bar"), ("foo=%20", "foo=%20"),
        ("FOO=bar", "FOO=bar"), ("foo=🍪", "foo=🍪"), ("foo;=bar", "foo"), ("==foo", "=foo"),
    ])
    func `a name and a value are read up to the semicolon`(header: String, pair: String) {
        #expect(cookie(header)?.pair == pair)
    }

    @Test(arguments: [
        "", " ", "=", " = ", ";", "; Path=/", "=; a=b", "a=b\u{0}", "a\u{1}=b", "a=b\u{1F}", "a=b\u{7F}", "a=b\nc",
        "a=b\rc", "a=b; Path=/\u{2}", "a=b; c\u{8}=d",
    ])
    func `an empty cookie or one with a control character is ignored`(header: String) {
        #expect(cookie(header) == nil)
    }

    @Test func `name and value have at most 4096 bytes together`() {
        let long = String(repeating: "x", count: 4_000)
        #expect(cookie("\(String(repeating: "n", count: 96))=\(long)") != nil)
        #expect(cookie("\(String(repeating: "n", count: 97))=\(long)") == nil)
        #expect(cookie(String(repeating: "é", count: 2_048)) != nil)
        #expect(cookie(String(repeating: "é", count: 2_049)) == nil)
    }

    @Test func `an attribute of more than 1024 bytes is ignored`() {
        let path = "/" + String(repeating: "p", count: 1_023)
        #expect(cookie("a=b; Path=\(path)")?.path == path)
        #expect(cookie("a=b; Path=\(path)p")?.path == nil)
        #expect(cookie("a=b; Path=/x; Path=\(path)p")?.path == "/x")
    }

    @Test(arguments: [
        ("a=b", nil), ("a=b; Max-Age=60", 60), ("a=b; max-age = 60", 60), ("a=b; Max-Age=60; Max-Age=70", 70),
        ("a=b; Max-Age=60; Max-Age=x", 60), ("a=b; Max-Age=+5", nil), ("a=b; Max-Age=5.5", nil),
        ("a=b; Max-Age=", nil), ("a=b; Max-Age=-", nil), ("a=b; Max-Age", nil), ("a=b; Max-Age=\"5\"", nil),
        ("a=b; Max-Age=007", 7),
    ])
    func `a life of seconds counts from now`(header: String, seconds: TimeInterval?) {
        #expect(cookie(header)?.expires == seconds.map { CookieJar.moment.addingTimeInterval($0) })
    }

    @Test(arguments: ["0", "-1", "-0", "-99999999999999999999999"])
    func `a life of zero or less is over`(age: String) throws {
        let expires = try #require(cookie("a=b; Max-Age=\(age); Expires=Fri, 01 Jan 2100 00:00:00 GMT")?.expires)
        #expect(expires == .distantPast)
    }

    @Test func `an endless number of seconds does not overflow`() throws {
        let expires = try #require(cookie("a=b; Max-Age=99999999999999999999999999")?.expires)
        #expect(expires > CookieJar.moment.addingTimeInterval(400 * 86_400))
    }

    @Test(arguments: [
        "a=b; Expires=Thu, 01 Jan 1970 00:01:40 GMT", "a=b; EXPIRES=Thu, 01-Jan-70 00:01:40 GMT",
        "a=b; Expires=01 Jan 2030 00:00:00; expires=1 Jan 1970 0:1:40; Expires=soon",
    ])
    func `the last valid date is the end of the life`(header: String) {
        #expect(cookie(header)?.expires == Date(timeIntervalSince1970: 100))
    }

    @Test(arguments: [
        ("a=b", nil), ("a=b; Domain=example.com", "example.com"), ("a=b; domain=.EXAMPLE.com", "example.com"),
        ("a=b; Domain=..x.com", ".x.com"), ("a=b; Domain=", nil), ("a=b; Domain=.", nil), ("a=b; Domain", nil),
        ("a=b; Domain=x.com; Domain=y.com", "y.com"), ("a=b; Domain=x.com; Domain=", nil),
        ("a=b; Domain= x.com ", "x.com"), ("a=b; Domain=é.com; Domain=y.com", "y.com"),
    ])
    func `the last domain counts, in lowercase and without a dot before it`(header: String, domain: String?) {
        #expect(cookie(header)?.domain == domain)
        #expect(cookie(header) != nil)
    }

    @Test(arguments: ["é.com", "\u{212A}.com", "x.com\u{301}"])
    func `a cookie with a domain that is not ASCII is ignored`(domain: String) {
        #expect(cookie("a=b; Domain=\(domain)") == nil)
    }

    @Test(arguments: [
        ("a=b", nil), ("a=b; Path=/x/y", "/x/y"), ("a=b; path= /x ", "/x"), ("a=b; Path=x", "/default"),
        ("a=b; Path=", "/default"), ("a=b; Path", "/default"), ("a=b; Path=/x; Path=y", "/default"),
        ("a=b; Path=\"/x\"", "/default"), ("a=b; Path=/x=y", "/x=y"),
    ])
    func `a path that is not absolute is the default path`(header: String, path: String?) {
        #expect(cookie(header)?.path == path)
    }

    @Test(arguments: [
        ("a=b", false), ("a=b; Secure", true), ("a=b;secure", true), ("a=b; SECURE=no", true), ("a=b; Secure;", true),
        ("a=b; Securely", false), ("a=b; x=Secure", false), ("a=b; \"Secure\"", false),
    ])
    func `Secure and HttpOnly need no value`(header: String, isSet: Bool) {
        #expect(cookie(header)?.isSecure == isSet)
        let other = header.replacingOccurrences(of: "Secure", with: "HttpOnly")
            .replacingOccurrences(of: "secure", with: "httponly").replacingOccurrences(of: "SECURE", with: "HTTPONLY")
        #expect(cookie(other)?.isHTTPOnly == isSet)
    }

    @Test(arguments: [
        ("a=b", Cookie.SameSite.unspecified), ("a=b; SameSite=Lax", .lax), ("a=b; samesite=STRICT", .strict),
        ("a=b; SameSite=None", .none), ("a=b; SameSite=x", .unspecified), ("a=b; SameSite", .unspecified),
        ("a=b; SameSite=Strict; SameSite=x", .unspecified), ("a=b; SameSite=Lax; SameSite=Strict", .strict),
    ])
    func `an unknown rule for sites is none`(header: String, rule: Cookie.SameSite) {
        #expect(cookie(header)?.sameSite == rule)
    }
}
