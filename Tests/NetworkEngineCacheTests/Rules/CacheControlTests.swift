import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache

@Suite(.timeLimit(.minutes(5))) struct CacheControlTests {
    @Test(
        arguments: [
            (["max-age=60"], 60), (["MaX-aGe=60"], 60), (["max-age=\"60\""], 60), (["max-age=0060"], 60),
            (["foo, max-age=60, bar=\"a, max-age=1\""], 60), (["ext=\"max-age=3600\", max-age=1"], 1),
            (["max-age=1, ext=\"max-age=3600\""], 1), (["max-age=60", "max-age=1"], 60),
            (["max-age=60, max-age=1"], 60),
            ([",, ,max-age=60,"], 60), (["max-age=2147483648"], 1 << 31), (["max-age=99999999999999999999"], 1 << 31),
            (["max-age=-1"], 0), (["max-age=a1"], 0), (["max-age=1a"], 0), (["max-age=1.5"], 0), (["max-age"], 0),
            (["max-age="], 0), (["max-age='60'"], 0), (["max-age =60"], 0), (["max-age= 60"], 0), (["max-age=٦"], 0),
            (["s-maxage=60"], nil), (["xmax-age=60"], nil), ([], nil), ([""], nil), (["=60"], nil),
            (["\"max-age=60\""], nil),
        ] as [([String], Int64?)])
    func `the first max-age counts, and an invalid one is zero`(lines: [String], seconds: Int64?) {
        #expect(CacheControl(lines).maxAge == seconds)
    }

    @Test func `flags ignore case and repetition`() {
        let control = CacheControl([
            "No-Store, PUBLIC, private, must-revalidate, must-understand, proxy-revalidate, immutable, only-if-cached",
            "no-store",
        ])
        #expect(control.isNoStore && control.isPublic && control.isPrivate && control.mustRevalidate)
        #expect(control.mustUnderstand && control.proxyRevalidate && control.isImmutable && control.isOnlyIfCached)
        #expect(!control.isNoCache)
    }

    @Test(
        arguments: [
            ("no-cache", true, []), ("no-cache=\"A\"", false, ["a"]), ("no-cache=\"a, b\"", false, ["a", "b"]),
            ("no-cache=a", false, ["a"]), ("no-cache=\"\"", true, []), ("no-cache=", true, []),
            ("no-cache=\"a b\"", true, []), ("no-cache=\"a\", no-cache", true, ["a"]),
        ] as [(String, Bool, [String])])
    func `no-cache applies to named fields or to the response`(line: String, isWhole: Bool, names: [String]) {
        let control = CacheControl([line])
        #expect(control.isNoCache == isWhole)
        #expect(control.noCacheFields == names)
    }

    @Test func `an unfinished string hides no directive`() {
        #expect(CacheControl(["a=\"b, no-store"]).isNoStore)
    }

    @Test func `marks without partners are read in linear time`() {
        let text = "a, \"" + String(repeating: "\\\"", count: 500_000)
        #expect(ListField.members(of: [text]).count == 2)
    }

    @Test func `max-stale without a value has no limit`() {
        #expect(CacheControl(["max-stale"]).maxStale == CacheControl.longest)
        #expect(CacheControl(["max-stale=5"]).maxStale == 5)
        #expect(CacheControl(["max-stale=x"]).maxStale == nil)
    }

    @Test func `invalid permissions to use a stale response are ignored`() {
        let control = CacheControl(["stale-while-revalidate=-1, stale-if-error=x, min-fresh="])
        #expect(control.staleWhileRevalidate == nil && control.staleIfError == nil && control.minFresh == nil)
    }

    @Test(
        arguments: [
            (["Pragma": "no-cache"], true), (["Pragma": "x, No-Cache"], true), (["Pragma": "x"], false),
            (["Pragma": "no-cache", "Cache-Control": "max-age=5"], false), ([:], false),
        ] as [(HTTPHeaders, Bool)])
    func `Pragma counts in a request without Cache-Control`(headers: HTTPHeaders, isNoCache: Bool) {
        #expect(CacheControl(request: headers).isNoCache == isNoCache)
        #expect(!CacheControl(response: headers).isNoCache)
    }

    @Test(
        arguments: [
            (["a, b"], ["a", "b"]), (["a,b", " c "], ["a", "b", "c"]), (["\"a,b\", c"], ["\"a,b\"", "c"]),
            (["\"a\\\",b\", c"], ["\"a\\\",b\"", "c"]), (["\"a, b"], ["\"a", "b"]), ([], []), ([" , ,"], []),
        ] as [([String], [String])])
    func `commas separate members outside of strings`(lines: [String], members: [String]) {
        #expect(ListField.members(of: lines) == members)
    }

    @Test(
        arguments: [
            ("\"a\"", "a"), ("\"a\\\"b\"", "a\"b"), ("\"\"", ""), ("a", nil), ("\"a", nil), ("\"a\"b", nil),
            ("\"", nil),
            ("", nil), ("\"\\\"", nil),
        ] as [(String, String?)])
    func `only a whole string has a content`(text: String, content: String?) {
        #expect(ListField.unquoted(text) == content)
    }
}
