import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct ContentRangeTests {
    @Test(
        arguments: [
            ("bytes 0-499/1234", [0, 499, 1234]), ("bytes 5-5/6", [5, 5, 6]), ("BYTES 1-2/*", [1, 2, nil]),
            ("bytes 0-9223372036854775806/9223372036854775807", [0, .max - 1, .max]),
        ] as [(String, [Int64?])])
    func `a valid Content-Range is parsed`(text: String, parts: [Int64?]) throws {
        let range = try #require(ContentRange(text))
        #expect([range.start, range.end, range.total] == parts)
    }

    @Test(arguments: [
        "", "bytes", "bytes */10", "bytes 5-4/10", "bytes 0-10/10", "bytes -1-4/10", "bytes 0-4", "bytes 0-4/",
        "bytes 0-4/x", "items 0-4/10", "bytes 0-4/10/10", "bytes 0-4-5/10", "bytes +0-4/10", "bytes 0 -4/10",
        "bytes 0-9223372036854775808/*",
    ])
    func `an invalid Content-Range is ignored`(text: String) {
        #expect(ContentRange(text) == nil)
    }

    @Test(
        arguments: [
            (["ETag": "\"a\""], "\"a\""), (["ETag": "W/\"a\""], nil), (["ETag": "a"], nil), ([:], nil),
            (
                ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:50:37 GMT"],
                "Sun, 06 Nov 1994 08:49:37 GMT"
            ),
            (["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:50:36 GMT"], nil),
            (["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"], nil),
        ] as [(HTTPHeaders, String?)])
    func `a strong ETag or an old Last-Modified is a strong validator`(headers: HTTPHeaders, expected: String?) {
        #expect(headers.strongValidator == expected)
    }
}
