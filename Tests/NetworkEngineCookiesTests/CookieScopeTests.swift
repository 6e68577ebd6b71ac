import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCookies

/// Which addresses can set a cookie, and which receive it.
@Suite(.timeLimit(.minutes(5)), .disabled(if: ThreadSanitizer.isWatching, "runs on one thread"))
struct CookieScopeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var header: String
        var from: String
        var to: String
        var isSent: Bool

        init(_ header: String, from: String, to: String, _ isSent: Bool) {
            (self.header, self.from, self.to, self.isSent) = (header, from, to, isSent)
        }

        var testDescription: String { "\(header) from \(from) to \(to)" }
    }

    static let domains: [Case] = [
        Case("a=1", from: "http://example.com/", to: "http://example.com/", true),
        Case("a=1", from: "http://example.com/", to: "http://EXAMPLE.com/", true),
        Case("a=1", from: "http://example.com/", to: "http://example.com:8080/", true),
        Case("a=1", from: "http://example.com/", to: "http://www.example.com/", false),
        Case("a=1", from: "http://www.example.com/", to: "http://example.com/", false),
        Case("a=1", from: "http://example.com/", to: "http://example.com./", false),
        Case("a=1; Domain=example.com", from: "http://example.com/", to: "http://www.example.com/", true),
        Case("a=1; Domain=example.com", from: "http://a.b.example.com/", to: "http://c.example.com/", true),
        Case("a=1; Domain=.example.com", from: "http://www.example.com/", to: "http://example.com/", true),
        Case("a=1; Domain=EXAMPLE.COM", from: "http://www.example.com/", to: "http://example.com/", true),
        Case("a=1; Domain=www.example.com", from: "http://example.com/", to: "http://www.example.com/", false),
        Case("a=1; Domain=other.com", from: "http://example.com/", to: "http://other.com/", false),
        Case("a=1; Domain=ample.com", from: "http://example.com/", to: "http://ample.com/", false),
        Case("a=1; Domain=example.com", from: "http://badexample.com/", to: "http://example.com/", false),
        Case("a=1; Domain=example.com", from: "http://example.com/", to: "http://badexample.com/", false),
        Case("a=1; Domain=..example.com", from: "http://example.com/", to: "http://example.com/", false),
        Case("a=1; Domain=example.com.", from: "http://example.com/", to: "http://example.com/", false),
        Case("a=1; Domain=example.com.", from: "http://www.example.com./", to: "http://example.com./", true),
        Case("a=1; Domain=", from: "http://www.example.com/", to: "http://www.example.com/", true),
        Case("a=1; Domain=", from: "http://www.example.com/", to: "http://a.www.example.com/", false),
        Case("a=1; Domain=example.com; Domain=", from: "http://example.com/", to: "http://www.example.com/", false),
        // Public suffixes
        Case("a=1; Domain=com", from: "http://example.com/", to: "http://example.com/", false),
        Case("a=1; Domain=com.", from: "http://example.com./", to: "http://example.com./", false),
        Case("a=1; Domain=co.uk", from: "http://example.co.uk/", to: "http://example.co.uk/", false),
        Case("a=1; Domain=github.io", from: "http://me.github.io/", to: "http://you.github.io/", false),
        Case("a=1; Domain=github.io", from: "http://github.io/", to: "http://github.io/", true),
        Case("a=1; Domain=github.io", from: "http://github.io/", to: "http://you.github.io/", false),
        Case("a=1; Domain=localhost", from: "http://localhost/", to: "http://localhost/", true),
        Case("a=1; Domain=internal", from: "http://a.internal/", to: "http://a.internal/", false),
        Case("a=1; Domain=corp.internal", from: "http://a.corp.internal/", to: "http://b.corp.internal/", true),
        // Addresses
        Case("a=1", from: "http://127.0.0.1/", to: "http://127.0.0.1:81/", true),
        Case("a=1; Domain=127.0.0.1", from: "http://127.0.0.1/", to: "http://127.0.0.1/", true),
        Case("a=1; Domain=0.0.1", from: "http://127.0.0.1/", to: "http://127.0.0.1/", false),
        Case("a=1; Domain=0.0.1", from: "http://127.0.0.1/", to: "http://1.0.0.1/", false),
        Case("a=1", from: "http://[::1]:8080/", to: "http://[::1]/", true),
        Case("a=1", from: "http://[::1]/", to: "http://[::2]/", false),
        // Names in other scripts
        Case("a=1", from: "http://b%C3%BCcher.example/", to: "http://xn--bcher-kva.example/", true),
        Case(
            "a=1; Domain=xn--bcher-kva.example", from: "http://www.xn--bcher-kva.example/",
            to: "http://xn--bcher-kva.example/", true),
    ]

    static let paths: [Case] = [
        Case("a=1", from: "http://x.test/a/b", to: "http://x.test/a/c", true),
        Case("a=1", from: "http://x.test/a/b", to: "http://x.test/a", true),
        Case("a=1", from: "http://x.test/a/b", to: "http://x.test/", false),
        Case("a=1", from: "http://x.test/a/b", to: "http://x.test/ab", false),
        Case("a=1", from: "http://x.test/a/b/", to: "http://x.test/a/b", true),
        Case("a=1", from: "http://x.test/a/b/", to: "http://x.test/a/", false),
        Case("a=1", from: "http://x.test/a?x=/b/c", to: "http://x.test/", true),
        Case("a=1", from: "http://x.test", to: "http://x.test/any", true),
        Case("a=1; Path=/", from: "http://x.test/a/b", to: "http://x.test", true),
        Case("a=1; Path=/a", from: "http://x.test/", to: "http://x.test/a", true),
        Case("a=1; Path=/a", from: "http://x.test/", to: "http://x.test/a/b?c", true),
        Case("a=1; Path=/a", from: "http://x.test/", to: "http://x.test/ab", false),
        Case("a=1; Path=/a/", from: "http://x.test/", to: "http://x.test/a", false),
        Case("a=1; Path=/a/", from: "http://x.test/", to: "http://x.test/a/", true),
        Case("a=1; Path=/A", from: "http://x.test/", to: "http://x.test/a", false),
        Case("a=1; Path=/a%2Fb", from: "http://x.test/", to: "http://x.test/a/b", false),
        Case("a=1; Path=/a", from: "http://x.test/", to: "http://x.test/b/../a/c", true),
        Case("a=1; Path=/b", from: "http://x.test/", to: "http://x.test/b/../a/c", false),
        Case("a=1; Path=a", from: "http://x.test/q/r", to: "http://x.test/q/s", true),
        Case("a=1; Path=/a#b", from: "http://x.test/", to: "http://x.test/a#b", false),
    ]

    static let schemes: [Case] = [
        Case("a=1; Secure", from: "https://x.test/", to: "https://x.test/", true),
        Case("a=1; Secure", from: "https://x.test/", to: "http://x.test/", false),
        Case("a=1; Secure", from: "http://x.test/", to: "https://x.test/", false),
        Case("a=1; Secure", from: "http://127.0.0.1/", to: "http://127.0.0.1/", false),
        Case("a=1; Secure", from: "http://localhost/", to: "http://localhost/", true),
        Case("a=1; Secure", from: "http://a.localhost:80/", to: "http://a.localhost/", true),
        Case("a=1; Secure", from: "http://notlocalhost/", to: "http://notlocalhost/", false),
        Case("a=1; Partitioned", from: "https://x.test/", to: "https://x.test/", false),
        Case("a=1; Partitioned; Secure", from: "https://x.test/", to: "https://x.test/", true),
        Case("a=1", from: "https://x.test/", to: "http://x.test/", true),
        Case("a=1; HttpOnly", from: "http://x.test/", to: "http://x.test/", true),
        Case("a=1; SameSite=None", from: "https://x.test/", to: "https://x.test/", false),
        Case("a=1; SameSite=None; Secure", from: "https://x.test/", to: "https://x.test/", true),
        Case("a=1; SameSite=Strict", from: "http://x.test/", to: "http://x.test/", true),
        // Prefixes
        Case("__Secure-a=1; Secure", from: "https://x.test/", to: "https://x.test/", true),
        Case("__Secure-a=1", from: "https://x.test/", to: "https://x.test/", false),
        Case("__sEcUrE-a=1", from: "https://x.test/", to: "https://x.test/", false),
        Case("__Secure-a=1; Secure", from: "http://x.test/", to: "https://x.test/", false),
        Case("__Host-a=1; Secure; Path=/", from: "https://x.test/", to: "https://x.test/", true),
        Case("__Host-a=1; Secure", from: "https://x.test/", to: "https://x.test/", false),
        Case("__Host-a=1; Secure; Path=/b", from: "https://x.test/", to: "https://x.test/b", false),
        Case("__Host-a=1; Path=/", from: "https://x.test/", to: "https://x.test/", false),
        Case("__HOST-a=1; Secure; Path=/; Domain=x.test", from: "https://x.test/", to: "https://x.test/", false),
        Case("__host-a=1; Secure; Path=/; Domain=", from: "https://x.test/", to: "https://x.test/", true),
        Case("__Host-a; Secure; Path=/", from: "https://x.test/", to: "https://x.test/", false),
        Case("=__Host-a=1; Secure; Path=/", from: "https://x.test/", to: "https://x.test/", false),
        Case("=__secure-a=1; Secure", from: "https://x.test/", to: "https://x.test/", false),
        Case("__Http-a=1; Secure; HttpOnly", from: "https://x.test/", to: "https://x.test/", true),
        Case("__Http-a=1; Secure", from: "https://x.test/", to: "https://x.test/", false),
        Case("__Http-a=1; HttpOnly", from: "https://x.test/", to: "https://x.test/", false),
        Case("__Host-Http-a=1; Secure; HttpOnly; Path=/", from: "https://x.test/", to: "https://x.test/", true),
        Case("__host-http-a=1; Secure; Path=/", from: "https://x.test/", to: "https://x.test/", false),
        Case("__Host-Http-a=1; Secure; HttpOnly", from: "https://x.test/", to: "https://x.test/", false),
        Case("alone", from: "http://x.test/", to: "http://x.test/", true),
        Case("=alone", from: "http://x.test/", to: "http://x.test/", true),
        Case("__Hosta=1", from: "http://x.test/", to: "http://x.test/", true),
    ]

    private func check(_ row: Case) throws {
        let jar = CookieJar.fixed()
        try jar.receive(row.header, from: row.from)
        let sent = try jar.sent(to: row.to)
        #expect(sent.isEmpty == !row.isSent)
    }

    @Test(arguments: domains) func `a domain covers its hosts, and no other`(row: Case) throws { try check(row) }

    @Test(arguments: paths) func `a path covers itself and everything below it`(row: Case) throws { try check(row) }

    private static let addresses: [Case] = [
        Case("a=1", from: "http://127.1/", to: "http://127.0.0.1/", true),
        Case("a=1", from: "http://0x7f.0.0.1/", to: "http://127.0.0.1/", true),
        Case("a=1", from: "http://[0:0:0:0:0:0:0:1]/", to: "http://[::1]/", true),
        Case("a=1", from: "http://[2001:DB8:0:0::1]/", to: "http://[2001:db8::1]/", true),
        Case("a=1", from: "http://127.0.0.2/", to: "http://127.0.0.1/", false),
        Case("a=1; Domain=[::1]", from: "http://[::1]:8080/", to: "http://[::1]/", true),
        Case("a=1; Domain=::1", from: "http://[::1]:8080/", to: "http://[::1]/", true),
        Case("a=1; Domain=[0:0::1]", from: "http://[::1]/", to: "http://[::1]/", true),
        Case("a=1; Domain=[2001:DB8::1]", from: "http://[2001:db8::1]/", to: "http://[2001:db8::1]/", true),
        Case("a=1; Domain=127.1", from: "http://127.0.0.1/", to: "http://127.0.0.1/", true),
        Case("a=1; Domain=[::2]", from: "http://[::1]/", to: "http://[::1]/", false),
        Case("a=1; Domain=[::1", from: "http://[::1]/", to: "http://[::1]/", false),
        Case("a=1; Domain=1", from: "http://[::1]/", to: "http://[::1]/", false),
        Case("__Host-a=1; Secure; Path=/; Domain=[::1]", from: "https://[::1]/", to: "https://[::1]/", true),
    ]

    @Test(arguments: addresses) func `the notations of an address are one host`(row: Case) throws { try check(row) }

    @Test(arguments: ["[::1]", "::1", "0::1"]) func `a cookie with the address of its host is one of that host alone`(
        domain: String
    ) throws {
        let jar = CookieJar.fixed()
        try jar.receive("a=1", "a=2; Domain=\(domain)", from: "http://[::1]:80/")
        jar.set(Cookie(name: "b", value: "3", domain: domain), for: try "http://[::1]/".url)
        #expect(try jar.sent(to: "http://[::1]/") == "a=2; b=3")
        #expect(jar.cookies(for: try "http://[::1]/".url).allSatisfy { $0.domain == nil })
    }

    @Test func `a site with many hosts removes no cookie of another site`() throws {
        let jar = CookieJar.fixed()
        try jar.receive("kept=1", from: "https://other.test/")
        for host in 0..<40 {
            for number in 0..<40 { try jar.receive("\(number)=1; Secure", from: "https://h\(host).big.test/") }
        }
        #expect(try jar.sent(to: "https://other.test/") == "kept=1")
        let left = try (0..<40).reduce(0) { try $0 + jar.cookies(for: "https://h\($1).big.test/".url).count }
        #expect(left == CookieStorage.limitPerSite)
    }

    @Test(arguments: schemes)
    func `secure cookies and prefixes need https`(row: Case) throws { try check(row) }

    @Test func `longer paths come first, then older cookies`() throws {
        let jar = CookieJar.fixed()
        try jar.receive(
            "a=1; Path=/", "b=2; Path=/x", "c=3; Path=/", "d=4; Path=/x/y", "e=5; Path=/x; Domain=a.test",
            from: "http://a.test/x/y")
        try jar.receive("a=9; Path=/", from: "http://a.test/")
        #expect(try jar.sent(to: "http://a.test/x/y") == "d=4; b=2; e=5; a=9; c=3")
    }

    @Test func `one name with other paths or domains is another cookie`() throws {
        let jar = CookieJar.fixed()
        try jar.receive("a=1", "a=2; Path=/x", "a=3; Domain=a.test", "A=4", from: "http://a.test/")
        #expect(try jar.sent(to: "http://a.test/x") == "a=2; a=1; a=3; A=4")
    }

    @Test func `cookies without a name replace each other`() throws {
        let jar = CookieJar.fixed()
        try jar.receive("one", "two", from: "http://a.test/")
        #expect(try jar.sent(to: "http://a.test/") == "two")
    }

    @Test(arguments: [
        ("http://a.test/", "a=2", "a=1"), ("http://a.test/", "a=2; Path=/login/x", "a=1"),
        ("http://a.test/", "a=2; Domain=a.test", "a=1"), ("http://a.test/", "b=2", "a=1; b=2"),
        ("https://a.test/", "a=2", "a=2"),
    ])
    func `an unencrypted response does not shadow a secure cookie`(from: String, header: String, sent: String) throws {
        let jar = CookieJar.fixed()
        try jar.receive("a=1; Secure; Path=/", from: "https://a.test/")
        try jar.receive(header, from: from)
        #expect(try jar.sent(to: "https://a.test/") == sent)
    }

    @Test func `a secure cookie of a lower path does not bar one of a higher path`() throws {
        let jar = CookieJar.fixed()
        try jar.receive("a=1; Secure; Path=/login", from: "https://a.test/")
        try jar.receive("a=2; Path=/", "a=3; Path=/login/x", from: "http://www.a.test/")
        try jar.receive("a=2; Path=/", "a=3; Path=/login/x", from: "http://a.test/")
        #expect(try jar.sent(to: "https://a.test/login/x") == "a=1; a=2")
    }
}
