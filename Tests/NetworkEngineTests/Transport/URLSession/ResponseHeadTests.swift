import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct ResponseHeadTests {
    @Test func `a decoded body loses the headers that described it coded`() {
        let head = ResponseHead(
            statusCode: 200, headers: ["Content-Encoding": "gzip", "Content-Length": "9", "A": "b"])
        #expect(head.headers == ["A": "b"])
        #expect(head.bodyLength == nil)
    }

    @Test(arguments: [(HTTPMethod.head, 200), (.get, 304)])
    func `a head without a body keeps the headers about it`(method: HTTPMethod, status: Int) {
        let headers: HTTPHeaders = ["Content-Encoding": "gzip", "Content-Length": "9"]
        let head = ResponseHead(statusCode: status, headers: headers, method: method)
        #expect(head.headers == headers)
        #expect(head.bodyLength == nil)
    }

    @Test(arguments: [("7", 7), ("5, 5", 5), ("", nil)] as [(String, Int64?)])
    func `a length is read if it is one number`(value: String, length: Int64?) {
        let head = ResponseHead(statusCode: 200, headers: ["Content-Length": value])
        #expect(head.bodyLength == length)
        #expect(head.fault == nil)
    }

    @Test(arguments: ["x", "-5", "+5", "5.0", "0x5", "99999999999999999999"])
    func `an invalid length is an error`(value: String) {
        #expect(ResponseHead(statusCode: 200, headers: ["Content-Length": value]).fault != nil)
    }

    @Test func `two different lengths are an error`() {
        #expect(ResponseHead(statusCode: 200, headers: ["Content-Length": "5, 3"]).fault != nil)
        var headers: HTTPHeaders = ["Content-Length": "5"]
        headers.add("3", for: "content-length")
        #expect(ResponseHead(statusCode: 200, headers: headers).fault != nil)
    }

    @Test(arguments: [
        ("/a", ["/a"]), ("/a, /b", ["/a", "/b"]), ("http://a/, HTTPS://b/", ["http://a/", "HTTPS://b/"]),
        ("/a?q=1, 2", ["/a?q=1, 2"]), ("/a?q=1,/2", ["/a?q=1,/2"]), ("", [""]),
    ])
    func `joined Locations are separated, commas inside one are kept`(value: String, locations: [String]) {
        #expect(value.splitLocations == locations)
    }

    @Test(arguments: [
        ("a=1", ["a=1"]),
        ("a=1, b=2", ["a=1", "b=2"]),
        (
            "a=1; Expires=Wed, 21 Oct 2030 07:28:00 GMT; Path=/, b=2",
            [
                "a=1; Expires=Wed, 21 Oct 2030 07:28:00 GMT; Path=/", "b=2",
            ]
        ),
        ("a=1,2", ["a=1,2"]),
    ])
    func `joined cookies are separated, dates are kept`(value: String, cookies: [String]) {
        #expect(value.splitCookies == cookies)
    }
}
