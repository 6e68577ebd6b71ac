import Foundation
import NetworkEngine
import Testing

@Suite(.timeLimit(.minutes(5))) struct RetryAfterTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    private func pause(_ values: [String], date: String? = date, now: Int64 = 0) -> Duration? {
        var headers = HTTPHeaders(values.map { .init(name: "retry-after", value: $0) })
        if let date { headers["Date"] = date }
        return RetryAfter.pause(in: headers) { now }
    }

    @Test(arguments: [("0", 0), ("1", 1), (" 3 ", 3), ("-1", 0), ("007", 7)])
    func `R3: seconds are read`(text: String, seconds: Int) {
        #expect(pause([text]) == .seconds(seconds))
    }

    @Test(arguments: ["1.5", "abc", "", "-", "1s", "0x10", "٣", "+3", "Sun, 06 Nov 1994"])
    func `R3: what is neither seconds nor a date is not there`(text: String) {
        #expect(pause([text]) == nil)
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:50:37 GMT", "Sunday, 06-Nov-94 08:50:37 GMT", "Sun Nov  6 08:50:37 1994",
    ])
    func `R3: a date in each of three forms is compared with the response's own`(text: String) {
        #expect(pause([text]) == .seconds(60))
    }

    @Test func `R3: a date that has passed is no pause`() {
        #expect(pause(["Sun, 06 Nov 1994 08:49:36 GMT"]) == .zero)
    }

    @Test func `R3: without a Date the clock has to do`() {
        #expect(pause(["Sun, 06 Nov 1994 08:50:37 GMT"], date: nil, now: 784_111_777) == .seconds(60))
        #expect(pause(["Sun, 06 Nov 1994 08:50:37 GMT"], date: "nonsense", now: 784_111_807) == .seconds(30))
    }

    @Test func `R3: of two the longer counts, and a number without end is only long`() {
        #expect(pause(["3", "5", "nonsense"]) == .seconds(5))
        #expect(pause([String(repeating: "9", count: 400)]) == .seconds(1 << 30))
    }

    @Test func `R4: the error says when to come back`() {
        let response = HTTPResponse(
            statusCode: 503,
            headers: ["Retry-After": "7"],
            request: HTTPRequest(url: API.base)
        )
        #expect(NetworkError(kind: .status, response: response).retryAfter == .seconds(7))
        #expect(NetworkError(kind: .status).retryAfter == nil)
    }
}
