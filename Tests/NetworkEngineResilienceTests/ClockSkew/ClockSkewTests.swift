import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

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

    @Test func `calls that are rejected together are all repeated`() async {
        let skew = skew(at: 784_111_777 - 3600)
        let mock = MockTransport()
        let (arrived, all) = (Locked(0), OneShot<Void>())
        let date = date
        mock.on().answers(
            MockAnswer.handler { _ in
                let number = arrived.withLock { count in
                    count += 1
                    return count
                }
                if number == 10 { all.settle(()) }
                try await all.wait()
                return number <= 10 ? date : .status(200)
            }.repeating())
        let provider = NetworkProvider<API>(mock, [skew])
        let statuses = await withTaskGroup(of: Int?.self, returning: [Int?].self) { group in
            for _ in 0..<10 { group.addTask { try? await provider.send(.plain).statusCode } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 10))
        #expect(mock.requests.count == 20)
    }

    @Test func `a server whose time changes with each answer gets a request twice`() async {
        let other = MockAnswer.status(403, headers: ["Date": "Sun, 06 Nov 1994 12:49:37 GMT"])
        let mock = MockTransport(date, other, date, other)
        let provider = NetworkProvider<API>(mock, [skew(at: 784_111_777 - 3600)])
        #expect(await provider.failure(.plain)?.statusCode == 403)
        #expect(mock.requests.count == 2)
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
