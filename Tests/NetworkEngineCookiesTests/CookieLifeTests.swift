import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCookies

/// How long cookies are stored, and how many.
@Suite(.timeLimit(.minutes(5)), .disabled(if: ThreadSanitizer.isWatching, "runs on one thread"))
struct CookieLifeTests {
    private let clock = WallClock()

    @Test func `a cookie ends with its life`() throws {
        let jar = CookieJar(now: clock.now)
        try jar.receive("a=1; Max-Age=60", "b=2", "c=3; Expires=Sun, 15 Jun 2025 15:08:00 GMT", from: "http://a.test/")
        #expect(try jar.sent(to: "http://a.test/") == "a=1; b=2; c=3")
        clock.advance(by: 60)
        #expect(try jar.sent(to: "http://a.test/") == "a=1; b=2; c=3")
        clock.advance(by: 1)
        #expect(try jar.sent(to: "http://a.test/") == "b=2; c=3")
        clock.advance(by: 100)
        #expect(try jar.sent(to: "http://a.test/") == "b=2")
    }

    @Test func `no life is longer than 400 days`() throws {
        let jar = CookieJar(now: clock.now)
        try jar.receive(
            "a=1; Max-Age=99999999999999", "b=2; Expires=Fri, 01 Jan 2100 00:00:00 GMT", from: "http://a.test/")
        clock.advance(by: 400 * 86_400)
        #expect(try jar.sent(to: "http://a.test/") == "a=1; b=2")
        clock.advance(by: 1)
        #expect(try jar.sent(to: "http://a.test/").isEmpty)
    }

    @Test func `an expired cookie removes the one it replaces`() throws {
        let jar = CookieJar(now: clock.now)
        try jar.receive(
            "a=1", "b=2; Max-Age=60", "a=; Max-Age=0", "b=; Expires=1 Jan 1970 0:0:0", from: "http://a.test/")
        #expect(try jar.sent(to: "http://a.test/").isEmpty)
        #expect("\(jar)" == "CookieJar(0 cookies)")
    }

    @Test func `a replaced cookie keeps its place`() throws {
        let jar = CookieJar(now: clock.now)
        try jar.receive("a=1", "b=2", "a=3", from: "http://a.test/")
        #expect(try jar.sent(to: "http://a.test/") == "a=3; b=2")
        try jar.receive("a=; Max-Age=0", "a=4", from: "http://a.test/")
        #expect(try jar.sent(to: "http://a.test/") == "b=2; a=4")
    }

    private func insert(
        _ cookie: Cookie,
        into storage: inout CookieStorage,
        from address: String = "https://a.test/"
    ) throws {
        _ = storage.insert(cookie, from: CookieAddress(try address.url), now: clock.now())
    }

    private func names(_ storage: CookieStorage, _ address: String = "https://a.test/") throws -> [String] {
        storage.cookies(for: CookieRequest(CookieAddress(try address.url), at: clock.now())).map(\.name)
    }

    @Test func `a domain with too many cookies loses the least recently used one`() throws {
        var storage = CookieStorage()
        for number in 0..<50 { try insert(Cookie(name: "\(number)", value: "", path: "/\(number)"), into: &storage) }
        _ = storage.use(for: CookieRequest(CookieAddress(try "https://a.test/0".url), at: clock.now()))
        try insert(Cookie(name: "new", value: "", path: "/"), into: &storage)
        #expect(storage.count == 50)
        #expect(try names(storage, "https://a.test/0") == ["0", "new"])
        #expect(try names(storage, "https://a.test/1") == ["new"])
        #expect(try names(storage, "https://a.test/2") == ["2", "new"])
    }

    @Test func `expired cookies go first, then insecure ones`() throws {
        var storage = CookieStorage()
        let end = clock.now().addingTimeInterval(10)
        try insert(Cookie(name: "safe", value: "", isSecure: true), into: &storage)
        try insert(Cookie(name: "plain", value: ""), into: &storage)
        try insert(Cookie(name: "short", value: "", expires: end, isSecure: true), into: &storage)
        for number in 3..<50 { try insert(Cookie(name: "\(number)", value: "", isSecure: true), into: &storage) }
        clock.advance(by: 11)
        try insert(Cookie(name: "x", value: "", isSecure: true), into: &storage)
        #expect(try names(storage).prefix(2) == ["safe", "plain"])
        try insert(Cookie(name: "y", value: "", isSecure: true), into: &storage)
        #expect(try names(storage).prefix(2) == ["safe", "3"])
        try insert(Cookie(name: "z", value: "", isSecure: true), into: &storage)
        #expect(try names(storage).prefix(2) == ["3", "4"])
        #expect(storage.count == 50)
    }

    @Test func `a jar with too many cookies loses the least recently used one`() throws {
        var storage = CookieStorage()
        for host in 0..<75 {
            for number in 0..<40 {
                try insert(Cookie(name: "\(number)", value: ""), into: &storage, from: "http://h\(host).test/")
            }
        }
        #expect(storage.count == 3_000)
        _ = storage.use(for: CookieRequest(CookieAddress(try "http://h0.test/".url), at: clock.now()))
        try insert(Cookie(name: "x", value: ""), into: &storage)
        #expect(storage.count == 3_000)
        #expect(try names(storage, "http://h0.test/").count == 40)
        #expect(try names(storage, "http://h1.test/").count == 39)
    }

    @Test(arguments: ["http", "https"])
    func `the time for cookies beyond the limit grows with their number`(scheme: String) {
        let addresses = (0..<5_000).compactMap { URL(string: "\(scheme)://h\($0).test/") }.map { CookieAddress($0) }
        let moment = clock.now()
        func insert(_ numbers: Range<Int>, into storage: inout CookieStorage) {
            for number in numbers {
                let cookie = Cookie(name: "a", value: "", expires: moment + 60)
                _ = storage.insert(cookie, from: addresses[number], now: moment)
            }
        }
        var full = CookieStorage()
        insert(0..<CookieStorage.limit, into: &full)
        let growth = growthOfTime(from: 200) { count in
            { [full] in
                var storage = full
                insert(CookieStorage.limit..<CookieStorage.limit + count, into: &storage)
            }
        }
        #expect(growth < 32)
        insert(CookieStorage.limit..<addresses.count, into: &full)
        #expect(full.count == CookieStorage.limit)
    }

    @Test func `a cookie that is used while others make room for new ones outlives them`() throws {
        var storage = CookieStorage()
        for host in 0...CookieStorage.limit {
            try insert(Cookie(name: "a", value: ""), into: &storage, from: "http://h\(host).test/")
        }
        #expect(try names(storage, "http://h0.test/").isEmpty)
        _ = storage.use(for: CookieRequest(CookieAddress(try "http://h1.test/".url), at: clock.now()))
        // Stored again in the same place.
        try insert(Cookie(name: "a", value: "b"), into: &storage, from: "http://h2.test/")
        for host in 0..<CookieStorage.limit - 2 {
            try insert(Cookie(name: "a", value: ""), into: &storage, from: "http://new\(host).test/")
        }
        #expect(storage.count == CookieStorage.limit)
        #expect(try names(storage, "http://h1.test/") == ["a"] && names(storage, "http://h2.test/") == ["a"])
        #expect(try names(storage, "http://h3000.test/").isEmpty && names(storage, "http://new0.test/") == ["a"])
    }

    @Test func `an expired cookie goes before one that is in use`() throws {
        var storage = CookieStorage()
        let end = clock.now().addingTimeInterval(10)
        for host in 0..<CookieStorage.limit {
            let cookie = Cookie(name: "a", value: "", expires: host.isMultiple(of: 10) ? end : nil)
            try insert(cookie, into: &storage, from: "http://h\(host).test/")
        }
        clock.advance(by: 11)
        try insert(Cookie(name: "a", value: ""), into: &storage, from: "http://new.test/")
        #expect(storage.count == CookieStorage.limit * 9 / 10 + 1)
        #expect(try names(storage, "http://h1.test/") == ["a"])
    }
}
