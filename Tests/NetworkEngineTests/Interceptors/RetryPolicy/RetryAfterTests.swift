import Foundation
import TestSupport
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct RetryAfterTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    private func pause(_ values: [String], date: String? = date, now: Int64 = 0) -> Duration? {
        var headers = HTTPHeaders(values.map { .init(name: "retry-after", value: $0) })
        if let date { headers["Date"] = date }
        return RetryAfter.pause(in: headers) { now }
    }

    @Test(arguments: [("0", 0), ("1", 1), (" 3 ", 3), ("-1", 0), ("007", 7)])
    func `a Retry-After in seconds is parsed`(text: String, seconds: Int) {
        #expect(pause([text]) == .seconds(seconds))
    }

    @Test(arguments: ["1.5", "abc", "", "-", "1s", "0x10", "٣", "+3", "Sun, 06 Nov 1994"])
    func `a Retry-After that is neither seconds nor a date is ignored`(text: String) {
        #expect(pause([text]) == nil)
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:50:37 GMT", "Sunday, 06-Nov-94 08:50:37 GMT", "Sun Nov  6 08:50:37 1994",
    ])
    func `a Retry-After date in each of three forms is relative to the response's Date`(text: String) {
        #expect(pause([text]) == .seconds(60))
    }

    @Test func `a past date gives no delay`() {
        #expect(pause(["Sun, 06 Nov 1994 08:49:36 GMT"]) == .zero)
    }

    @Test func `without a Date header the clock is used`() {
        #expect(pause(["Sun, 06 Nov 1994 08:50:37 GMT"], date: nil, now: 784_111_777) == .seconds(60))
        #expect(pause(["Sun, 06 Nov 1994 08:50:37 GMT"], date: "nonsense", now: 784_111_807) == .seconds(30))
    }

    @Test func `the longer of two values counts, and a huge number is capped`() {
        #expect(pause(["3", "5", "nonsense"]) == .seconds(5))
        #expect(pause([String(repeating: "9", count: 400)]) == .seconds(1 << 30))
    }

    @Test func `the error has the retry time`() {
        let response = HTTPResponse(
            statusCode: 503,
            headers: ["Retry-After": "7"],
            request: HTTPRequest(url: API.base)
        )
        #expect(NetworkError(kind: .status, response: response).retryAfter == .seconds(7))
        #expect(NetworkError(kind: .status).retryAfter == nil)
    }
}
