import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache

@Suite(.timeLimit(.minutes(5))) struct UpdatingTests {
    private func update(_ stored: HTTPHeaders, by headers: HTTPHeaders) -> StoredResponse? {
        StoredResponse.sample(stored).updated(by: headers, requestTime: .sample(100), responseTime: .sample(101))
    }

    @Test(
        arguments: [
            (["ETag": "\"a\""], ["If-None-Match": "\"a\""]), (["ETag": "W/\"a\""], ["If-None-Match": "W/\"a\""]),
            (["Last-Modified": .date()], ["If-Modified-Since": .date()]), ([:], nil), (["ETag": ""], nil),
            (
                ["ETag": "\"a\"", "Last-Modified": .date()], ["If-None-Match": "\"a\"", "If-Modified-Since": .date()]
            ), (["Last-Modified": "yesterday"], nil),
        ] as [(HTTPHeaders, HTTPHeaders?)])
    func `the condition has every validator of the stored response`(stored: HTTPHeaders, condition: HTTPHeaders?) {
        #expect(StoredResponse.sample(stored).conditions == condition)
    }

    @Test(arguments: [
        "Test-Header", "X-Test-Header", "Content-Foo", "Content-Type", "Content-MD5", "Content-Location", "Set-Cookie",
        "Content-Security-Policy", "X-Frame-Options", "Clear-Site-Data", "Cache-Control", "Expires",
    ])
    func `a 304 replaces the values of a field`(name: String) throws {
        var stored: HTTPHeaders = [name: "a", "Other": "1"]
        stored.add("b", for: name)
        let updated = try #require(update(stored, by: [name.uppercased(): "c"]))
        #expect(updated.headers.values(for: name) == ["c"])
        #expect(updated.headers["Other"] == "1")
    }

    @Test(arguments: ["Content-Length", "Content-Encoding", "Content-Range"])
    func `a 304 does not change what describes the stored body`(name: String) throws {
        #expect(try #require(update([name: "a"], by: [name: "b"])).headers[name] == "a")
    }

    @Test func `a 304 adds no field of the connection`() throws {
        let updated = try #require(update([:], by: ["Connection": "a", "a": "1", "Keep-Alive": "2"]))
        #expect(updated.headers.map(\.name) == ["Date"])
    }

    @Test func `a 304 restarts the age`() throws {
        let updated = try #require(update(["Cache-Control": "max-age=60", "Age": "50", "Date": .date()], by: [:]))
        #expect(updated.headers["Age"] == nil && updated.headers["Date"] == .date(101))
        #expect(Freshness(of: updated, at: .sample(111)).age == 11)
    }

    @Test func `applying a 304 twice is applying it once`() throws {
        let headers: HTTPHeaders = ["ETag": "\"a\"", "X": "2", "Date": .date(100), "Age": "3"]
        let once = try #require(update(["ETag": "\"a\"", "X": "1"], by: headers))
        let twice = once.updated(by: headers, requestTime: .sample(100), responseTime: .sample(101))
        #expect(twice == once)
    }

    @Test(
        arguments: [
            (["ETag": "\"a\""], ["ETag": "\"b\""], false), (["ETag": "\"a\""], ["ETag": "W/\"a\""], true),
            (["ETag": "\"a\""], [:], true), (["Last-Modified": .date()], ["Last-Modified": .date(1)], false),
            (["Last-Modified": .date()], ["ETag": "\"a\""], true),
        ] as [(HTTPHeaders, HTTPHeaders, Bool)])
    func `a 304 with another validator confirms nothing`(stored: HTTPHeaders, headers: HTTPHeaders, isUpdate: Bool) {
        #expect((update(stored, by: headers) != nil) == isUpdate)
    }

    @Test(
        arguments: [
            (200, ["X": "2"], "updated"), (200, ["Content-Length": "10"], "updated"),
            (200, ["Content-Length": "11"], "outdated"), (200, ["ETag": "\"b\""], "outdated"),
            (200, ["Content-Length": "4", "Content-Encoding": "gzip"], "updated"), (410, [:], "unrelated"),
            (503, [:], "unrelated"),
        ] as [(Int, HTTPHeaders, String)])
    func `a response to HEAD updates or outdates the stored one`(status: Int, headers: HTTPHeaders, result: String) {
        let stored = StoredResponse.sample(["ETag": "\"a\"", "X": "1"])
        switch stored.result(ofHead: status, headers, requestTime: .sample(5), responseTime: .sample(6)) {
        case .updated(let response):
            #expect(result == "updated" && response.responseTime == .sample(6) && response.bodyLength == 10)
        case .outdated: #expect(result == "outdated")
        case .unrelated: #expect(result == "unrelated")
        }
    }

    @Test func `a response to HEAD says nothing about a part`() {
        let stored = StoredResponse.sample(["ETag": "\"a\""], part: StoredResponse.Part(bounds: 0..<10, total: 20))
        let result = stored.result(ofHead: 200, ["ETag": "\"a\""], requestTime: .sample(5), responseTime: .sample(6))
        #expect(result == .unrelated)
    }

    @Test(
        arguments: [
            ("\"a\"", "\"a\"", true, true), ("W/\"a\"", "W/\"a\"", false, true), ("W/\"a\"", "\"a\"", false, true),
            ("\"a\"", "\"b\"", false, false), ("W/\"a\"", "W/\"b\"", false, false), ("a", "\"a\"", false, true),
        ])
    func `entity tags match strongly and weakly`(left: String, right: String, isStrong: Bool, isWeak: Bool) throws {
        let (left, right) = (try #require(EntityTag(left)), try #require(EntityTag(right)))
        #expect(left.stronglyMatches(right) == isStrong && right.stronglyMatches(left) == isStrong)
        #expect(left.weaklyMatches(right) == isWeak && right.weaklyMatches(left) == isWeak)
    }
}
