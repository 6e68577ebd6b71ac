import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCookies

@Suite(.timeLimit(.minutes(5))) struct CookieJarTests {
    @Test func `a cookie of the app is sent like one of a server`() throws {
        let jar = CookieJar()
        let url = try "https://www.example.com/a/b".url
        jar.set(Cookie(name: "a", value: "1"), for: url)
        jar.set(Cookie(name: "b", value: "2", domain: ".Example.com", path: "/", isSecure: true), for: url)
        jar.set(fromHeader: "c=3; Path=/a", for: url)
        #expect(jar.cookies(for: url).map(\.name) == ["a", "c", "b"])
        #expect(try jar.sent(to: "https://example.com/") == "b=2")
        jar.removeAll()
        #expect(jar.cookies(for: url) == [])
    }

    @Test func `a cookie that was read can be set again`() throws {
        let jar = CookieJar.fixed()
        let url = try "https://a.test/x/y".url
        jar.set(fromHeader: "a=1; Max-Age=60; Secure; HttpOnly; SameSite=Strict", for: url)
        jar.set(fromHeader: "b=2; Domain=a.test; Path=/", for: url)
        let other = CookieJar.fixed()
        for cookie in jar.cookies(for: url) { other.set(cookie, for: url) }
        #expect(other.cookies(for: url) == jar.cookies(for: url))
        #expect(try other.sent(to: "https://b.a.test/x/y") == "b=2")
    }

    @Test func `the domain of a cookie may be in another script`() throws {
        let jar = CookieJar()
        jar.set(
            Cookie(name: "a", value: "1", domain: "Bücher.example"), for: try "https://www.xn--bcher-kva.example".url)
        #expect(try jar.sent(to: "https://xn--bcher-kva.example") == "a=1")
    }

    @Test(arguments: [
        Cookie(name: "a", value: "1; b=2"), Cookie(name: "a;b", value: "1"), Cookie(name: "a=b", value: "1"),
        Cookie(name: "a", value: "1\r\nX: y"), Cookie(name: "a", value: "1", path: "/;x"), Cookie(name: "", value: ""),
        Cookie(name: "a", value: "1", path: "/\n"), Cookie(name: "a", value: "1", domain: "com"),
        Cookie(name: "a", value: String(repeating: "x", count: 4_096)),
    ])
    func `a cookie that cannot be sent is ignored`(cookie: Cookie) throws {
        let jar = CookieJar()
        jar.set(cookie, for: try "https://a.com/".url)
        #expect("\(jar)" == "CookieJar(0 cookies)")
    }

    @Test func `an address without a host has no cookies`() throws {
        let jar = CookieJar()
        for address in ["file:///a", "mailto:a@b.c", "a/b", "data:,x"] {
            jar.set(Cookie(name: "a", value: "1"), for: try address.url)
            #expect(jar.cookies(for: try address.url) == [])
        }
    }

    @Test func `descriptions and dumps show no values`() throws {
        let jar = CookieJar()
        let url = try "https://a.test/".url
        jar.set(fromHeader: "session=s3cret-value; Path=/; Secure; HttpOnly; SameSite=Lax; Domain=a.test", for: url)
        jar.set(fromHeader: "s3cret-nameless", for: url)
        var text = "\(jar) \(jar.cookies(for: url)) \(String(reflecting: jar))"
        dump(jar, to: &text)
        dump(jar.cookies(for: url), to: &text)
        #expect(!text.contains("s3cret"))
        #expect(text.contains("session=<redacted>; Domain=a.test; Path=/; Secure; HttpOnly; SameSite=lax"))
    }

    @Test func `many tasks share one jar`() async throws {
        let jar = CookieJar()
        let url = try "https://a.test/".url
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for turn in 0..<200 {
                        jar.set(fromHeader: "k\(turn % 20)=\(task); Path=/; Max-Age=100", for: url)
                        _ = jar.use(for: url, isCrossSite: false, isSafe: true)
                        if turn % 50 == 49, task == 0 { jar.removeAll() }
                    }
                }
            }
        }
        jar.set(fromHeader: "last=1", for: url)
        let cookies = jar.cookies(for: url)
        #expect(cookies.count <= 21)
        #expect(Set(cookies.map(\.name)).count == cookies.count)
        #expect(cookies.last?.name == "last")
    }
}
