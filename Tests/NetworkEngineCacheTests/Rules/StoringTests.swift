import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache

@Suite(.timeLimit(.minutes(5))) struct StoringTests {
    @Test(
        arguments: [
            (200, ["Cache-Control": "max-age=60"], true), (200, ["Cache-Control": "private, max-age=60"], true),
            (200, ["Cache-Control": "private=\"a\", max-age=60"], true), (200, ["Expires": .date(60)], true),
            (200, ["ETag": "\"a\""], true), (200, ["Last-Modified": .date(-9)], true), (200, [:], false),
            (200, ["Cache-Control": "no-store"], false), (200, ["Cache-Control": "No-StOrE, max-age=9"], false),
            (200, ["Cache-Control": "no-store, must-understand, max-age=9"], true),
            (299, ["Cache-Control": "no-store, must-understand, max-age=9"], false),
            (299, ["Cache-Control": "must-understand, max-age=9"], false), (299, ["Cache-Control": "max-age=9"], true),
            (599, ["Cache-Control": "max-age=9"], true), (500, ["Cache-Control": "max-age=9"], true),
            (302, ["Cache-Control": "max-age=9"], true), (302, ["ETag": "\"a\""], false), (302, ["Expires": "0"], true),
            (304, ["Cache-Control": "max-age=9"], false), (103, ["Cache-Control": "max-age=9"], false),
            (600, ["Cache-Control": "max-age=9"], false), (201, ["ETag": "\"a\""], false),
            (201, ["ETag": "\"a\"", "Cache-Control": "public"], true),
            (201, ["ETag": "\"a\"", "Cache-Control": "s-maxage=9"], false),
            (200, ["Cache-Control": "no-cache"], false), (200, ["Cache-Control": "no-cache", "ETag": "\"a\""], true),
            (200, ["Cache-Control": "no-cache", "Last-Modified": .date(-9)], true),
            (200, ["Cache-Control": "max-age=9", "Vary": "*"], false),
            (200, ["Cache-Control": "max-age=9", "Vary": "a, *"], false),
            (206, ["Cache-Control": "max-age=9"], false),
            (206, ["Cache-Control": "max-age=9", "Content-Range": "bytes 0-4/10"], true),
            (206, ["Cache-Control": "max-age=9", "Content-Range": "bytes 0-9223372036854775807/*"], false),
            (206, ["Cache-Control": "max-age=9", "Content-Type": "multipart/byteranges; boundary=a"], false),
        ] as [(Int, HTTPHeaders, Bool)])
    func `a response is stored if it may and can be used again`(status: Int, headers: HTTPHeaders, isStored: Bool) {
        #expect((StoredResponse.storing(headers, status: status) != nil) == isStored)
    }

    @Test(arguments: [HTTPMethod.head, .post, .put, .delete, .options, .query, "get"])
    func `only responses to GET are stored`(method: HTTPMethod) {
        #expect(StoredResponse.storing(["Cache-Control": "max-age=60"], to: .cached(method: method)) == nil)
    }

    @Test func `a request can forbid to store its response`() {
        let request = HTTPRequest.cached(["Cache-Control": "no-store"])
        #expect(StoredResponse.storing(["Cache-Control": "max-age=60"], to: request) == nil)
    }

    @Test func `a private cache stores a response to credentials`() throws {
        let request = HTTPRequest.cached(["Authorization": "Bearer secret"])
        let stored = try #require(StoredResponse.storing(["Cache-Control": "max-age=60"], to: request))
        #expect(!stored.variant.identity.isEmpty)
        #expect(!"\(stored)".contains("Bearer secret"))
    }

    @Test(arguments: [401, 403, 407, 412, 416, 417, 421, 425, 428, 429, 431, 511])
    func `a refusal that is about one request, its sender or the moment is not stored`(status: Int) {
        let headers: HTTPHeaders = ["Cache-Control": "public, max-age=60", "ETag": "\"a\""]
        for field in ["Authorization", "Cookie"] {
            #expect(StoredResponse.storing(headers, status: status, to: .cached([field: "ada"])) == nil)
        }
        #expect(StoredResponse.storing(headers, status: status) == nil)
    }

    @Test func `with cacheFirst a response without validator and lifetime is stored`() {
        #expect(StoredResponse.storing([:], policy: .cacheFirst) != nil)
        #expect(StoredResponse.storing(["Cache-Control": "no-store"], policy: .cacheFirst) == nil)
    }

    @Test func `fields of the connection and fields that no-cache names are not stored`() throws {
        let stored = try #require(
            StoredResponse.storing(
                [
                    "Connection": "a, Keep-Alive", "a": "1", "b": "2", "c": "3", "Keep-Alive": "x", "Upgrade": "x",
                    "Proxy-Connection": "x", "Transfer-Encoding": "chunked", "Set-Cookie": "a=b",
                    "Cache-Control": "max-age=60, no-cache=\"B\"",
                ], to: .cached(["Authorization": "ada"])))
        #expect(Set(stored.headers.map(\.name)) == ["c", "Set-Cookie", "Cache-Control", "Date"])
    }

    @Test func `a response without Date gets the time of its arrival`() throws {
        let stored = try #require(StoredResponse.storing(["Cache-Control": "max-age=60"]))
        #expect(stored.headers["Date"] == "Sun, 09 Sep 2001 01:46:40 GMT")
    }

    @Test func `a part that is the whole is stored as complete`() throws {
        let headers: HTTPHeaders = ["Cache-Control": "max-age=60", "Content-Range": "bytes 0-9/10"]
        let stored = try #require(StoredResponse.storing(headers, status: 206))
        #expect(stored.statusCode == 200 && stored.isComplete && !stored.headers.contains("Content-Range"))
    }
}
