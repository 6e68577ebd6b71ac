import Foundation
import NetworkEngine
import NetworkEngineResilience
import NetworkEngineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ClockSkewTests {
    private let date = MockAnswer.status(403, headers: ["Date": "Sun, 06 Nov 1994 08:49:37 GMT"])

    private func skew(at seconds: Double) -> ClockSkew {
        ClockSkew(now: { Date(timeIntervalSince1970: seconds) })
    }

    @Test func `a rejection with another time is repeated once, and the offset is kept`() async {
        let skew = skew(at: 784_111_777 - 3600)
        let mock = MockTransport(date.repeating())
        let provider = NetworkProvider<API>(mock, [skew])
        #expect(await provider.failure(.plain)?.statusCode == 403)
        #expect(mock.requests.count == 2)
        #expect(skew.now(for: API.base) == Date(timeIntervalSince1970: 784_111_777))
        _ = await provider.failure(.plain)
        #expect(mock.requests.count == 3)
    }

    @Test(arguments: [-59.0, 0, 59])
    func `a small difference or a rejection without a date is not repeated`(difference: Double) async {
        let mock = MockTransport(date, .status(403))
        let provider = NetworkProvider<API>(mock, [skew(at: 784_111_777 + difference)])
        _ = await provider.failure(.plain)
        _ = await provider.failure(.plain)
        #expect(mock.requests.count == 2)
    }
}
