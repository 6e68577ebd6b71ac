import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache

@Suite(.timeLimit(.minutes(5))) struct FreshnessTests {
    @Test(
        arguments: [
            (["Cache-Control": "max-age=60", "Expires": .date(-100)], 60), (["Cache-Control": "s-maxage=60"], 0),
            (["Cache-Control": "s-maxage=600, max-age=1"], 1),
            (["Cache-Control": "max-age=x", "Expires": .date(9)], 0),
            (["Expires": .date(30), "Date": .date()], 30), (["Expires": .date(30), "Date": .date(10)], 20),
            (["Expires": .date(30), "Date": .date(-10)], 40), (["Expires": .date(30), "Date": "x"], 30),
            (["Expires": .date(30)], 30), (["Expires": .date()], 0), (["Expires": .date(-5)], 0), (["Expires": "0"], 0),
            (["Expires": "-1"], 0), (["Expires": ""], 0), (["Expires": "Sunday, 09-Sep-01 01:47:10 GMT"], 30),
            (["Expires": "Sun Sep  9 01:47:10 2001"], 30),
            (["Expires": "Fri, 31 Dec 9999 23:59:59 GMT"], 2_147_483_648),
            (["Expires": .date(300), "Date": .date(400)], 0), (["Cache-Control": "foo"], 0),
        ] as [(HTTPHeaders, Double)])
    func `the lifetime is max-age, or else Expires after Date`(headers: HTTPHeaders, lifetime: Double) {
        #expect(Freshness(of: .sample(headers), at: .sample()).lifetime == lifetime)
    }

    @Test func `the first of several Expires counts`() {
        var headers: HTTPHeaders = ["Expires": .date(30)]
        headers.add(.date(60), for: "Expires")
        #expect(Freshness(of: .sample(headers), at: .sample()).lifetime == 30)
    }

    @Test(
        arguments: [
            (200, "", 10), (203, "", 10), (204, "", 10), (206, "", 10), (300, "", 10), (301, "", 10), (308, "", 10),
            (404, "", 10), (405, "", 10), (410, "", 10), (414, "", 10), (501, "", 10), (201, "", 0), (202, "", 0),
            (302, "", 0), (307, "", 0), (403, "", 0), (500, "", 0), (503, "", 0), (599, "", 0), (599, "public", 10),
            (200, "max-age=5", 5),
        ] as [(Int, String, Double)])
    func `a tenth of the time since the change is a guess for some statuses`(
        status: Int, control: String, lifetime: Double
    ) {
        let headers: HTTPHeaders = ["Last-Modified": .date(-100), "Date": .date(), "Cache-Control": control]
        #expect(Freshness(of: .sample(headers, status: status), at: .sample()).lifetime == lifetime)
    }

    @Test(
        arguments: [
            (String.date(-100_000_000), 86_400), (.date(100), 0), ("x", 0), ("Mon, 01 Jan 1601 00:00:00 GMT", 86_400),
        ] as [(String, Double)])
    func `the guess is not negative and at most a day`(modified: String, lifetime: Double) {
        #expect(Freshness(of: .sample(["Last-Modified": modified]), at: .sample()).lifetime == lifetime)
    }

    @Test(
        arguments: [
            ([:], 0, 0, 0, 0), ([:], 0, 0, 7, 7), (["Age": "30"], 0, 0, 7, 37), (["Date": .date(-50)], 0, 0, 7, 57),
            (["Date": .date(-50), "Age": "30"], 0, 0, 7, 57), (["Date": .date(50), "Age": "30"], 0, 0, 7, 37),
            (["Age": "30"], -4, 0, 7, 41), (["Age": "30"], 4, 0, 7, 37), (["Age": "x"], 0, 0, 7, 7),
            (["Age": "-30"], 0, 0, 7, 7), (["Age": "30.5"], 0, 0, 7, 7), (["Age": "30, 0"], 0, 0, 7, 37),
            (["Age": "99999999999999999999"], 0, 0, 0, 2_147_483_648), ([:], 0, 0, -7, 0), ([:], -0.5, 0, 0.25, 0.75),
        ] as [(HTTPHeaders, Double, Double, Double, Double)])
    func `the age counts the way, the delay and the time in the store`(
        headers: HTTPHeaders, requestTime: Double, responseTime: Double, now: Double, age: Double
    ) {
        let response = StoredResponse.sample(headers, requestTime: requestTime, responseTime: responseTime)
        #expect(Freshness(of: response, at: .sample(now)).age == age)
    }

    @Test(arguments: [(0, true), (59.9, true), (60, false), (61, false), (-60, true), (-61, false), (-1e15, false)])
    func `a response is fresh before its lifetime ends, and not if it comes from the future`(now: Double, isFresh: Bool)
    {
        #expect(Freshness(of: .sample(["Cache-Control": "max-age=60"]), at: .sample(now)).isFresh == isFresh)
    }

    @Test(arguments: [(0.9, "0"), (12.5, "12"), (1e300, "2147483648"), (-5, "0")])
    func `the Age of an answer is a bounded number of seconds`(now: Double, age: String) {
        #expect(Freshness(of: .sample([:]), at: .sample(now)).ageField == age)
    }
}
