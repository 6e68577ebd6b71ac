import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct HTTPDateTests {
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "Sun, 06 Nov 1994 08:49:37 gmT", "Sun Nov 06 08:49:37 1994",
    ])
    func `the current and both obsolete forms give the same date`(text: String) {
        #expect(HTTPDate.seconds(text) == 784_111_777)
    }

    @Test(arguments: [
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0 as Int64), ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_199),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799), ("Wednesday, 01-Jan-69 00:00:00 GMT", 3_124_224_000),
    ])
    func `any date is counted from 1970`(text: String, seconds: Int64) {
        #expect(HTTPDate.seconds(text) == seconds)
    }

    @Test(arguments: [
        "", "tomorrow", "06 Nov 1994", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 PST",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 2023 08:49:37 GMT",
        "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 94 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT",
        "Sun,  06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun Nov 6 08:49:37 94",
        "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "- - - - - -", "Sun, 06 Nov 1994 ٠٨:49:37 GMT",
    ])
    func `an invalid date is nil`(text: String) {
        #expect(HTTPDate.seconds(text) == nil)
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
