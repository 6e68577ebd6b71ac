import Foundation
import NetworkEngine
import Testing

@Suite(.timeLimit(.minutes(5))) struct InvalidationTests {
    private func addresses(
        _ method: HTTPMethod, _ status: Int = 200, _ headers: HTTPHeaders = [:]
    ) -> [String] {
        Invalidation.keys(after: .cached(method: method), statusCode: status, headers: headers).map(\.address)
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete, "M-SEARCH"])
    func `a successful unsafe method removes the stored response`(method: HTTPMethod) {
        #expect(addresses(method) == ["https://example.com/a"])
        #expect(addresses(method, 302) == ["https://example.com/a"])
        #expect(addresses(method, 404).isEmpty && addresses(method, 500).isEmpty)
    }

    @Test(arguments: [HTTPMethod.get, .head, .options, .trace, .query])
    func `a safe method removes nothing`(method: HTTPMethod) {
        #expect(addresses(method, 200, ["Location": "/b"]).isEmpty)
    }

    @Test(
        arguments: [
            (["Location": "/b"], ["https://example.com/b"]),
            (["Content-Location": "b?c#d"], ["https://example.com/b?c"]),
            (["Location": "https://example.com:443/b"], ["https://example.com/b"]),
            (["Location": "https://other.com/b"], []),
            (["Location": "http://example.com/b"], []), (["Location": "//other.com/b"], []), (["Location": "/a"], []),
            (["Location": "/b", "Content-Location": "/c"], ["https://example.com/b", "https://example.com/c"]),
        ] as [(HTTPHeaders, [String])])
    func `locations of the same origin are removed too`(headers: HTTPHeaders, others: [String]) {
        #expect(addresses(.post, 201, headers) == ["https://example.com/a"] + others)
    }

    @Test(arguments: [
        ("\"cache\"", true), ("\"cookies\", \"cache\"", true), ("\"*\"", true), ("cache", false),
        ("\"cookies\"", false),
        ("\"cookies, \"\"cache\"", false),
    ])
    func `Clear-Site-Data removes all responses of an origin`(value: String, clears: Bool) {
        #expect(Invalidation.clearsOrigin(of: .cached(), headers: ["Clear-Site-Data": value]) == clears)
        let insecure = HTTPRequest.cached([:], "http://example.com/")
        #expect(!Invalidation.clearsOrigin(of: insecure, headers: ["Clear-Site-Data": value]))
    }

    @Test func `the status of the cache is a structured field`() {
        let freshness = Freshness(of: .sample(["Cache-Control": "max-age=60"]), at: .sample(10))
        #expect("\(CacheStatus(hit: freshness))" == "NetworkEngine; hit; ttl=50")
        let stale = Freshness(of: .sample(["Cache-Control": "max-age=60"]), at: .sample(70.5))
        #expect("\(CacheStatus(hit: stale))" == "NetworkEngine; hit; ttl=-11")
        #expect("\(CacheStatus(forward: .miss(.address)))" == "NetworkEngine; fwd=uri-miss")
        var status = CacheStatus(forward: .stale)
        (status.forwardStatus, status.isStored, status.isCollapsed) = (304, true, true)
        status.detail = "a\"\\é\n"
        #expect("\(status)" == #"NetworkEngine; fwd=stale; fwd-status=304; stored; collapsed; detail="a\"\\??""#)
    }

    @Test(arguments: [
        (0 as Int64, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (1_709_164_799, "Wed, 28 Feb 2024 23:59:59 GMT"), (1_709_164_800, "Thu, 29 Feb 2024 00:00:00 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
        (.min, "Mon, 01 Jan 1601 00:00:00 GMT"),
    ])
    func `a date is written in the usual form`(seconds: Int64, text: String) {
        #expect(HTTPDate.text(seconds) == text)
    }
}
