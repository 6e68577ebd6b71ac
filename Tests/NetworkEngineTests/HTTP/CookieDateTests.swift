import Testing

@testable import NetworkEngine
@testable import NetworkEngineCookies

@Suite(.timeLimit(.minutes(5))) struct CookieDateTests {
    /// Spellings of one instant, 6 November 1994, 08:49:37.
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "06 nov 1994 08:49:37", "08:49:37 6 NOVEMBER 94", "1994 Novelty 6th 8:49:37", "Sun,06-Nov-1994 08:49:37 -0800",
        "6;nov;94;08:49:37Z", "06 Nov 1994 08:49:37.999", "Nov 6 1994 08:49:37 09:00:00",
        "\"06\"/Nov/1994\t08:49:37", "6 Nov 1994th 08:49:37", "[06] <Nov> {1994} 08:49:37",
    ])
    func `a date is read in any order and form`(text: String) {
        #expect(CookieDate.seconds(text) == 784_111_777)
    }

    @Test(arguments: [
        ("01 Jan 1970 00:00:00 GMT", 0), ("01 Jan 70 00:00:00 GMT", 0), ("01 Jan 69 00:00:00 GMT", 3_124_224_000),
        ("01 Jan 00 00:00:00 GMT", 946_684_800), ("31 Dec 99 23:59:59 GMT", 946_684_799),
        ("29 Feb 2000 00:00:00 GMT", 951_782_400), ("01 Jan 1601 00:00:00 GMT", -11_644_473_600),
        ("01 Jan 070 00:00:00", 0), ("1 Jan 9999 0:0:0", 253_370_764_800),
    ])
    func `years of two digits are in 1970 to 2069`(text: String, seconds: Int64) {
        #expect(CookieDate.seconds(text) == seconds)
    }

    @Test(arguments: [
        "", "GMT", "0", "-1", "Sun, 06 Nov 1994", "08:49:37", "06 Nov 08:49:37", "Nov 1994 08:49:37",
        "06 1994 08:49:37",
        "00 Nov 1994 08:49:37", "32 Dec 1994 08:49:37", "31 Apr 1994 08:49:37", "29 Feb 1994 08:49:37",
        "29 Feb 1900 08:49:37", "06 Nov 1600 08:49:37", "06 Nov 1994 24:00:00", "06 Nov 1994 00:60:00",
        "06 Nov 1994 00:00:60", "06 Nov 1994 8:49", "06 Nov 1994 008:49:37", "06 Nov 12345 08:49:37",
        "006 Nov 1994 08:49:37", "06 No 1994 08:49:37", "06 Nov 1994 08:49:", "06 Nov 1994 a8:49:37",
        "06 Nov 1994 08:49:377", "06 Nov 1 08:49:37", "94 6 Nov 08:49:37",
    ])
    func `an incomplete or impossible date is no date`(text: String) {
        #expect(CookieDate.seconds(text) == nil)
    }
}
