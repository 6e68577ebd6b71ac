import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache

@Suite(.timeLimit(.minutes(5))) struct PartialContentTests {
    @Test(
        arguments: [
            ("bytes=0-", 0..<10), ("bytes=9-", 9..<10), ("bytes=10-", nil), ("bytes=2-4", 2..<5),
            ("bytes=2-99", 2..<10),
            ("bytes=-3", 7..<10), ("bytes=-99", 0..<10), ("bytes=4-2", nil), ("items=0-", nil), ("bytes=0-1,3-4", nil),
        ] as [(String, Range<Int64>?)])
    func `a range of ten bytes has the bytes that exist`(range: String, bounds: Range<Int64>?) {
        #expect(ByteRange(["Range": range])?.bounds(in: 10) == bounds)
    }

    private func part(_ bounds: Range<Int64>, of total: Int64? = 10, _ headers: HTTPHeaders = ["ETag": "\"a\""])
        -> StoredResponse
    {
        .sample(
            headers.merging(["Cache-Control": "max-age=60"]), status: 206, length: Int64(bounds.count),
            part: StoredResponse.Part(bounds: bounds, total: total))
    }

    @Test(
        arguments: [
            ("bytes=0-1", 0..<2), ("bytes=1-", 1..<10), ("bytes=-1", 9..<10), ("bytes=-99", 0..<10),
            ("bytes=9-9", 9..<10),
            ("bytes=5-99", 5..<10), ("BYTES=0-0", 0..<1), ("bytes=0-9223372036854775807", 0..<10), ("bytes=10-", nil),
            ("bytes=-0", nil), ("bytes=2-1", nil), ("bytes=", nil), ("bytes=-", nil), ("bytes=0-1,3-4", nil),
            ("items=0-1", nil), ("bytes=a-b", nil), ("bytes=0-1-2", nil), ("bytes=99999999999999999999-", nil),
            ("bytes 0-1", nil), ("bytes=+1-2", nil),
        ] as [(String, Range<Int64>?)])
    func `a single range is answered from a complete response`(range: String, bounds: Range<Int64>?) {
        let stored = [StoredResponse.sample(["Cache-Control": "max-age=60"])]
        let decision = CacheRules().decision(for: .cached(["Range": range]), stored: stored, now: .sample())
        let use = bounds.map { CacheDecision.use(CacheUse(index: 0, answer: .part($0))) }
        #expect(decision == use ?? .fetch(.partial))
    }

    @Test(
        arguments: [
            ("bytes=5-9", 5..<10), ("bytes=-5", 5..<10), ("bytes=-1", 9..<10), ("bytes=6-8", 6..<9),
            ("bytes=6-", 6..<10),
            ("bytes=4-9", nil), ("bytes=-6", nil), ("bytes=0-1", nil),
        ] as [(String, Range<Int64>?)])
    func `a range is answered from a stored part that contains it`(range: String, bounds: Range<Int64>?) {
        let decision = CacheRules().decision(for: .cached(["Range": range]), stored: [part(5..<10)], now: .sample())
        let use = bounds.map { CacheDecision.use(CacheUse(index: 0, answer: .part($0))) }
        #expect(decision == use ?? .fetch(.partial))
    }

    @Test func `without a known length only a closed range is answered`() {
        let decide = {
            CacheRules().decision(for: .cached(["Range": $0]), stored: [part(0..<5, of: nil)], now: .sample())
        }
        #expect(decide("bytes=1-3").isUse)
        #expect(!decide("bytes=1-9").isUse && !decide("bytes=1-").isUse && !decide("bytes=-1").isUse)
    }

    @Test(
        arguments: [
            ("\"a\"", true), ("W/\"a\"", false), ("\"b\"", false), (String.date(-100), true), (.date(-99), false),
        ] as [(String, Bool)])
    func `If-Range permits a part of the same representation`(condition: String, isPart: Bool) {
        let stored = StoredResponse.sample([
            "Cache-Control": "max-age=60", "ETag": "\"a\"", "Last-Modified": .date(-100), "Date": .date(),
        ])
        let request = HTTPRequest.cached(["Range": "bytes=0-1", "If-Range": condition])
        let decision = CacheRules().decision(for: request, stored: [stored], now: .sample())
        #expect(decision == .use(CacheUse(index: 0, answer: isPart ? .part(0..<2) : .whole)))
    }

    @Test func `the head of a part names its bytes`() {
        let response = StoredResponse.sample(["Content-Length": "10", "ETag": "\"a\""])
        let head = response.head(of: .part(2..<5), now: .sample(7))
        #expect(head.statusCode == 206)
        #expect(head.headers == ["Content-Length": "3", "ETag": "\"a\"", "Age": "7", "Content-Range": "bytes 2-4/10"])
        #expect(part(5..<10).bodyRange(of: .part(6..<8)) == 1..<3)
    }

    @Test func `the head of a 304 has the fields that describe the response`() {
        let response = StoredResponse.sample(["Content-Type": "a/b", "ETag": "\"a\"", "Vary": "a"])
        let head = response.head(of: .notModified, now: .sample())
        #expect(head.statusCode == 304)
        #expect(head.headers == ["ETag": "\"a\"", "Vary": "a", "Age": "0"])
    }

    @Test func `the rest of a part is requested if it can be combined`() {
        let decide = { CacheRules().decision(for: .cached(), stored: [$0], now: .sample()) }
        #expect(decide(part(0..<5)) == .complete(0, conditions: ["Range": "bytes=5-", "If-Range": "\"a\""]))
        #expect(decide(part(1..<5)) == .fetch(.partial))
        #expect(decide(part(0..<5, of: nil)) == .fetch(.partial))
        #expect(decide(part(0..<5, of: 10, ["ETag": "W/\"a\""])) == .fetch(.partial))
        #expect(decide(part(0..<5, of: 10, [:])) == .fetch(.partial))
    }

    @Test(
        arguments: [
            (0..<5, 5..<10, [.stored(0..<5), .received(0..<5)], nil),
            (5..<10, 0..<5, [.received(0..<5), .stored(0..<5)], nil),
            (0..<5, 3..<8, [.stored(0..<3), .received(0..<5)], 0..<8),
            (2..<9, 4..<6, [.stored(0..<2), .received(0..<2), .stored(4..<7)], 2..<9),
            (4..<6, 2..<9, [.received(0..<7)], 2..<9),
        ] as [(Range<Int64>, Range<Int64>, [PartialContent.Piece], Range<Int64>?)])
    func `parts that touch are combined`(
        old: Range<Int64>, new: Range<Int64>, pieces: [PartialContent.Piece], bounds: Range<Int64>?
    ) throws {
        let combined = try #require(PartialContent(stored: part(old), received: part(new)))
        #expect(combined.pieces == pieces)
        #expect(combined.response.part?.bounds == bounds)
        #expect(combined.response.statusCode == (bounds == nil ? 200 : 206))
        #expect(combined.response.bodyLength == Int64(bounds?.count ?? 10))
        #expect(
            combined.response.headers["Content-Range"]
                == bounds.map { "bytes \($0.lowerBound)-\($0.upperBound - 1)/10" })
    }

    @Test func `parts of different representations are not combined`() {
        let combine = { PartialContent(stored: $0, received: $1) }
        #expect(combine(part(0..<5), part(6..<10)) == nil)
        #expect(combine(part(0..<5), part(5..<10, of: 10, ["ETag": "\"b\""])) == nil)
        #expect(combine(part(0..<5, of: 10, ["ETag": "W/\"a\""]), part(5..<10, of: 10, ["ETag": "W/\"a\""])) == nil)
        #expect(combine(part(0..<5, of: 10, [:]), part(5..<10, of: 10, [:])) == nil)
        #expect(combine(part(0..<5), part(5..<10, of: 11)) == nil)
        #expect(combine(part(0..<5), .sample(["ETag": "\"a\""])) == nil)
    }

    @Test func `the digest of one part describes neither the combination nor another part`() throws {
        let digest: HTTPHeaders = ["ETag": "\"a\"", "Content-Digest": "sha-256=:AAAA:"]
        let content = try #require(PartialContent(stored: part(0..<5, of: 10, digest), received: part(5..<10, of: 10)))
        #expect(!content.response.headers.contains("Content-Digest"))
        #expect(!part(0..<5, of: 10, digest).head(of: .part(1..<3), now: .sample()).headers.contains("Content-Digest"))
    }
}
