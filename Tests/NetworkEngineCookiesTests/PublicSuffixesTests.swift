import Fixtures
import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCookies

@Suite(.timeLimit(.minutes(5)), .disabled(if: ThreadSanitizer.isWatching, "runs on one thread"))
struct PublicSuffixesTests {
    @Test(arguments: [
        ("com", nil), ("example.com", "example.com"), ("b.example.com", "example.com"),
        ("a.b.example.com", "example.com"), ("biz", nil), ("domain.biz", "domain.biz"), ("b.domain.biz", "domain.biz"),
        ("uk.com", nil), ("example.uk.com", "example.uk.com"), ("b.example.uk.com", "example.uk.com"),
        ("test.ac", "test.ac"), ("mm", nil), ("c.mm", nil), ("b.c.mm", "b.c.mm"), ("a.b.c.mm", "b.c.mm"),
        ("jp", nil), ("test.jp", "test.jp"), ("ac.jp", nil), ("test.ac.jp", "test.ac.jp"), ("kyoto.jp", nil),
        ("test.kyoto.jp", "test.kyoto.jp"), ("ide.kyoto.jp", nil), ("b.ide.kyoto.jp", "b.ide.kyoto.jp"),
        ("a.b.ide.kyoto.jp", "b.ide.kyoto.jp"), ("c.kobe.jp", nil), ("b.c.kobe.jp", "b.c.kobe.jp"),
        ("a.b.c.kobe.jp", "b.c.kobe.jp"), ("city.kobe.jp", "city.kobe.jp"), ("www.city.kobe.jp", "city.kobe.jp"),
        ("ck", nil), ("test.ck", nil), ("b.test.ck", "b.test.ck"), ("a.b.test.ck", "b.test.ck"),
        ("www.ck", "www.ck"), ("www.www.ck", "www.ck"), ("us", nil), ("test.us", "test.us"), ("ak.us", nil),
        ("test.ak.us", "test.ak.us"), ("k12.ak.us", nil), ("test.k12.ak.us", "test.k12.ak.us"),
        ("www.test.k12.ak.us", "test.k12.ak.us"), ("xn--85x722f.com.cn", "xn--85x722f.com.cn"),
        ("xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"), ("xn--55qx5d.cn", nil),
        ("shishi.xn--55qx5d.cn", "shishi.xn--55qx5d.cn"), ("xn--fiqs8s", nil),
        ("www.xn--85x722f.xn--fiqs8s", "xn--85x722f.xn--fiqs8s"),
        // A name that matches no rule has a suffix of one label.
        ("example", nil), ("example.example", "example.example"), ("b.example.example", "example.example"),
        ("a.b.example.example", "example.example"),
        ("me.github.io", "me.github.io"), ("github.io", nil), ("example.com.", "example.com"),
        ("a..com", nil), ("", nil), (".com", nil), ("127.0.0.1", nil), ("::1", nil),
    ])
    func `a registered domain has one label more than its suffix`(host: String, domain: String?) {
        #expect(PublicSuffixes.registeredDomain(of: host) == domain)
    }

    @Test func `the table has every rule of the list`() throws {
        var count = 0
        var wrong: [String] = []
        for line in try Fixtures.publicSuffixList().components(separatedBy: "\n") {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.isEmpty || line.hasPrefix("//") { continue }
            count += 1
            guard TestLength.isPart(count) || line.hasPrefix("!") else { continue }
            let rule = HostName.comparable(String(line.drop { $0 == "!" }))
            let isRight =
                if line.hasPrefix("!") {
                    PublicSuffixes.registeredDomain(of: "a.\(rule)") == rule && !PublicSuffixes.contains(rule)
                } else {
                    PublicSuffixes.contains(rule.replacingOccurrences(of: "*", with: "any-name-0"))
                }
            if !isRight { wrong.append(line) }
        }
        #expect(count > 9_000)
        #expect(wrong == [])
    }

    @Test(arguments: [
        ("https://a.example.com", "https://b.example.com:8443", true), ("https://a.test", "http://a.test", false),
        ("https://me.github.io", "https://you.github.io", false), ("http://127.0.0.1:1", "http://127.0.0.1:2", true),
        ("http://127.0.0.1", "http://127.0.0.2", false), ("http://localhost", "http://localhost:80", true),
        ("https://example.com", "https://example.org", false), ("http://[::1]", "http://[::1]:8080", true),
    ])
    func `a site is a scheme and a registered domain`(first: String, second: String, isSame: Bool) throws {
        let origins = (try first.url.origin, try second.url.origin)
        #expect(origins.0.isSameSite(as: origins.1) == isSame)
        #expect(origins.1.isSameSite(as: origins.0) == isSame)
    }
}
