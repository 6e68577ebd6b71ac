import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache

@Suite(.timeLimit(.minutes(5))) struct CacheRulesTests {
    private let use = CacheDecision.use(CacheUse(index: 0))
    private let stale = CacheDecision.use(CacheUse(index: 0, isStale: true))
    private let background = CacheDecision.use(CacheUse(index: 0, isStale: true, revalidatesInBackground: true))
    private let validate = CacheDecision.revalidate(0, conditions: ["If-None-Match": "\"a\""])

    private func decide(
        _ control: String,
        _ wishes: String = "",
        at now: Double,
        _ policy: CachePolicy = .useProtocol,
        headers: HTTPHeaders = ["ETag": "\"a\""]
    ) -> CacheDecision {
        let stored = StoredResponse.sample(headers.merging(["Cache-Control": control]))
        let request = HTTPRequest.cached(wishes.isEmpty ? [:] : ["Cache-Control": wishes])
        return CacheRules(policy: policy).decision(for: request, stored: [stored], now: .sample(now))
    }

    @Test func `a fresh response is used and a stale one validated`() {
        #expect(decide("max-age=60", at: 59) == use)
        #expect(decide("max-age=60", at: 60) == validate)
        #expect(decide("max-age=0", at: 0) == validate)
        #expect(decide("max-age=60", at: 60, headers: [:]) == .fetch(.stale))
    }

    @Test func `no-cache is validated while it is fresh`() {
        #expect(decide("max-age=60, no-cache", at: 0) == validate)
        #expect(decide("max-age=60, no-cache", "max-stale", at: 90) == validate)
        #expect(decide("max-age=60, no-cache=\"a\"", at: 0) == use)
    }

    @Test(
        arguments: [
            ("max-age=60", 30, true), ("max-age=10", 30, false), ("max-age=30", 30, true), ("max-age=0", 0, false),
            ("min-fresh=30", 30, true), ("min-fresh=31", 30, false), ("no-cache", 0, false), ("foo", 0, true),
            ("max-age=x", 0, false), ("min-fresh=99999999999999999999", 0, false), ("max-stale", 30, true),
        ] as [(String, Double, Bool)])
    func `a request can demand a fresher response`(wishes: String, now: Double, isUse: Bool) {
        #expect(decide("max-age=60", wishes, at: now).isUse == isUse)
    }

    @Test(
        arguments: [
            ("max-age=60", "max-stale=30", 90, true), ("max-age=60", "max-stale=30", 90.5, false),
            ("max-age=60", "max-stale", 1e9, true), ("max-age=60, must-revalidate", "max-stale", 61, false),
            ("max-age=60, proxy-revalidate", "max-stale", 61, true),
            ("max-age=60", "max-stale=30, max-age=60", 80, true),
            ("max-age=60", "max-stale=30, max-age=10", 80, false), ("max-age=60", "max-stale, min-fresh=1", 61, false),
            ("max-age=60", "max-stale=-1", 61, false), ("max-age=60", "max-stale, no-cache", 61, false),
        ] as [(String, String, Double, Bool)])
    func `a request can accept a stale response`(control: String, wishes: String, now: Double, isUse: Bool) {
        #expect(decide(control, wishes, at: now) == (isUse ? stale : validate))
    }

    @Test func `a response is not used after the clock was set back`() {
        #expect(decide("max-age=60", "max-stale", at: -61) == validate)
        #expect(decide("max-age=60", at: -60) == use)
    }

    @Test(
        arguments: [
            ("max-age=60, stale-while-revalidate=30", "", 90, true),
            ("max-age=60, stale-while-revalidate=30", "", 90.5, false),
            ("max-age=60, stale-while-revalidate=30, must-revalidate", "", 61, false),
            ("max-age=60, stale-while-revalidate=30, no-cache", "", 61, false),
            ("max-age=60, stale-while-revalidate=30", "max-age=60", 61, false),
            ("max-age=60, stale-while-revalidate=30", "no-cache", 61, false),
            ("max-age=60, stale-while-revalidate=30", "min-fresh=1", 61, false),
        ] as [(String, String, Double, Bool)])
    func `stale-while-revalidate permits a stale use for its time`(
        control: String, wishes: String, now: Double, isUse: Bool
    ) {
        #expect(decide(control, wishes, at: now) == (isUse ? background : validate))
    }

    @Test func `a reload of an immutable response waits for the end of its freshness`() {
        #expect(decide("max-age=60, immutable", "max-age=0", at: 30) == use)
        #expect(decide("max-age=60", "max-age=0", at: 30) == validate)
        #expect(decide("max-age=60, immutable", "max-age=0", at: 60) == validate)
        #expect(decide("max-age=60, immutable", "no-cache", at: 30) == validate)
    }

    @Test func `only-if-cached never reaches the server`() {
        #expect(decide("max-age=60", "only-if-cached", at: 0) == use)
        #expect(decide("max-age=60", "only-if-cached", at: 60) == .gatewayTimeout)
        #expect(decide("max-age=60, stale-while-revalidate=9", "only-if-cached", at: 61) == stale)
        let request = HTTPRequest.cached(["Cache-Control": "only-if-cached"])
        #expect(CacheRules().decision(for: request, stored: [], now: .sample()) == .gatewayTimeout)
    }

    @Test func `no-store in a request excludes stored responses`() {
        #expect(decide("max-age=60", "no-store", at: 0) == .fetch(.request))
    }

    @Test(
        arguments: [
            (CachePolicy.reload, 0, .fetch(.bypass)), (.bypass, 0, .fetch(.bypass)),
            (.cacheFirst, 1e9, .use(CacheUse(index: 0, isStale: true))), (.cacheFirst, 0, .use(CacheUse(index: 0))),
            (.cacheOnly, 1e9, .use(CacheUse(index: 0, isStale: true))), (.cacheOnly, 0, .use(CacheUse(index: 0))),
        ] as [(CachePolicy, Double, CacheDecision)])
    func `the policy of a call takes the place of freshness`(policy: CachePolicy, now: Double, decision: CacheDecision)
    {
        #expect(decide("max-age=60", at: now, policy) == decision)
    }

    @Test(arguments: ["no-cache", "max-age=60, must-revalidate"])
    func `no policy overrides what the server forbids`(control: String) {
        #expect(decide(control, at: 60, .cacheFirst) == validate)
        #expect(decide(control, at: 60, .cacheOnly) == .gatewayTimeout)
    }

    @Test func `without a stored response the policies ask the server, except cacheOnly`() {
        let decide = { CacheRules(policy: $0).decision(for: .cached(), stored: [], now: .sample()) }
        #expect(decide(.useProtocol) == .fetch(.address))
        #expect(decide(.cacheFirst) == .fetch(.address))
        #expect(decide(.cacheOnly) == .gatewayTimeout)
    }

    @Test func `other methods and conditions on writing go to the server`() {
        let stored = [StoredResponse.sample(["Cache-Control": "max-age=60"])]
        let decide = { CacheRules().decision(for: $0, stored: stored, now: .sample()) }
        #expect(decide(.cached(method: .post)) == .fetch(.method))
        #expect(decide(.cached(["If-Match": "\"a\""])) == .fetch(.request))
        #expect(decide(.cached(["If-Unmodified-Since": .date()])) == .fetch(.request))
        #expect(decide(.cached(method: .head)) == use)
    }

    @Test func `a stale response to HEAD is requested without a condition`() {
        let stored = [StoredResponse.sample(["Cache-Control": "max-age=60", "ETag": "\"a\""])]
        let decision = CacheRules().decision(for: .cached(method: .head), stored: stored, now: .sample(60))
        #expect(decision == .fetch(.stale))
    }

    @Test func `the newest matching variant is selected`() throws {
        let first = HTTPRequest.cached(["Foo": "1"])
        let variant = try #require(Variant(of: ["Vary": "Foo"], to: first))
        let other = try #require(Variant(of: ["Vary": "Foo"], to: .cached(["Foo": "2"])))
        let headers: (Int64) -> HTTPHeaders = { ["Cache-Control": "max-age=60", "Date": .date($0)] }
        let stored = [
            StoredResponse.sample(headers(1), variant: other), .sample(headers(2), variant: variant),
            .sample(headers(0), variant: variant),
        ]
        let rules = CacheRules()
        #expect(rules.decision(for: first, stored: stored, now: .sample(3)) == .use(CacheUse(index: 1)))
        #expect(rules.decision(for: .cached(["Foo": "3"]), stored: stored, now: .sample(3)) == .fetch(.variant))
    }

    @Test(
        arguments: [
            (["If-None-Match": "\"a\""], true), (["If-None-Match": "W/\"a\""], true), (["If-None-Match": "*"], true),
            (["If-None-Match": "\"b\", \"a\", \"c\""], true), (["If-None-Match": "\"b\""], false),
            (["If-Modified-Since": .date(-100)], true), (["If-Modified-Since": .date(-50)], true),
            (["If-Modified-Since": .date(-101)], false), (["If-Modified-Since": "x"], false),
            (["If-None-Match": "\"b\"", "If-Modified-Since": .date()], false),
        ] as [(HTTPHeaders, Bool)])
    func `a condition of the caller is answered from a fresh response`(condition: HTTPHeaders, isNotModified: Bool) {
        let stored = [
            StoredResponse.sample([
                "Cache-Control": "max-age=60", "ETag": "\"a\"", "Last-Modified": .date(-100), "Date": .date(),
            ])
        ]
        let decision = CacheRules().decision(for: .cached(condition), stored: stored, now: .sample())
        #expect(decision == .use(CacheUse(index: 0, answer: isNotModified ? .notModified : .whole)))
    }

    @Test func `a condition of the caller goes to the server if the response is stale`() {
        let stored = [StoredResponse.sample(["Cache-Control": "max-age=60", "ETag": "\"a\""])]
        let request = HTTPRequest.cached(["If-None-Match": "\"b\""])
        #expect(CacheRules().decision(for: request, stored: stored, now: .sample(60)) == .fetch(.stale))
    }

    @Test(
        arguments: [
            ("max-age=60, stale-if-error=30", "", 90, true), ("max-age=60, stale-if-error=30", "", 91, false),
            ("max-age=60", "stale-if-error=30", 90, true), ("max-age=60", "", 61, false),
            ("max-age=60, stale-if-error=30, must-revalidate", "", 61, false),
            ("max-age=60, stale-if-error=30, no-cache", "", 61, false),
        ] as [(String, String, Double, Bool)])
    func `stale-if-error permits a stale use after an error`(
        control: String, wishes: String, now: Double, isUse: Bool
    ) {
        for failure in [.disconnected, .status(500), .status(502), .status(503), .status(504)] as [CacheRules.Failure] {
            let fallback = fallback(control, wishes, after: failure, at: now)
            #expect(fallback == (isUse ? CacheUse(index: 0, isStale: true) : nil))
        }
        #expect(fallback(control, wishes, after: .status(501), at: now) == nil)
        #expect(fallback(control, wishes, after: .status(404), at: now) == nil)
    }

    @Test(arguments: [
        ("max-age=60", true), ("max-age=60, must-revalidate", false), ("max-age=60, proxy-revalidate", false),
        ("max-age=60, no-cache", false), ("max-age=60, s-maxage=60", false),
    ])
    func `without a permission a stale response is used after a disconnect only on request`(
        control: String, isUse: Bool
    ) {
        var rules = CacheRules()
        #expect(fallback(control, after: .disconnected, at: 61, rules) == nil)
        rules.servesStaleWhenDisconnected = true
        let result = fallback(control, after: .disconnected, at: 61, rules)
        #expect(result == (isUse ? CacheUse(index: 0, isStale: true) : nil))
        #expect(fallback(control, after: .status(503), at: 61, rules) == nil)
    }

    @Test func `a response that must be validated does not replace a failure`() {
        for failure in [.disconnected, .status(503)] as [CacheRules.Failure] {
            #expect(fallback("max-age=60, must-revalidate", after: failure, at: 61) == nil)
        }
    }

    @Test func `a part replaces no failure`() {
        let part = StoredResponse.Part(bounds: 0..<10, total: 20)
        for (part, isUse) in [(nil, true), (part, false)] as [(StoredResponse.Part?, Bool)] {
            let stored = StoredResponse.sample(["Cache-Control": "max-age=60, stale-if-error=30"], part: part)
            let use = CacheRules().fallback(
                after: .disconnected, of: .cached(), response: stored, at: 0, now: .sample(61))
            #expect((use != nil) == isUse)
        }
    }

    private func fallback(
        _ control: String, _ wishes: String = "", after failure: CacheRules.Failure, at now: Double,
        _ rules: CacheRules = CacheRules()
    ) -> CacheUse? {
        rules.fallback(
            after: failure, of: .cached(["Cache-Control": wishes]), response: .sample(["Cache-Control": control]),
            at: 0, now: .sample(now))
    }
}
