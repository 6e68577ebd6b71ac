import Foundation
import NetworkEngine
import NetworkEngineTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MockIsolationTests {
    /// A thousand tests at once, each with a mock of its own, and the time they take.
    private func storm() async throws -> Duration {
        let start = ContinuousClock.now
        try await withThrowingTaskGroup { group in
            for number in 1...1_000 {
                group.addTask {
                    let mock = MockTransport()
                    mock.on(.get, "/users/:id").answers(.status(503), .json(#"{"id": \#(number)}"#))
                    for _ in 1...2 { try await mock.ask(.get, "/users/\(number)") }
                    #expect(mock.requests.map(\.url.lastPathComponent) == ["\(number)", "\(number)"])
                    try mock.checkAllUsed()
                }
            }
            try await group.waitForAll()
        }
        return start.duration(to: .now)
    }

    @Test func `a thousand mocks at once never see each other, and take less than two seconds`() async throws {
        var best = try await storm()
        // A machine that is busy with something else gets another try.
        for _ in 1...4 where best >= .seconds(2) { best = min(best, try await storm()) }
        #expect(best < .seconds(2))
    }

    @Test func `one mock asked by thousands gives every answer once`() async throws {
        let mock = MockTransport()
        mock.on().answers((1...2_000).map { .status(200, body: "\($0)") })
        let bodies = try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 1...2_000 { group.addTask { try await mock.ask().data } }
            return try await group.reduce(into: Set<Data>()) { $0.insert($1) }
        }
        #expect(bodies.count == 2_000 && mock.requests.count == 2_000)
        try mock.checkAllUsed()
    }

    @Test func `a test with a mock of its own takes less than 100 microseconds`() async throws {
        var best = Duration.seconds(1)
        for _ in 1...40 {
            let start = ContinuousClock.now
            for _ in 1...25 {
                let mock = MockTransport(.status(503), .json("{}"))
                for _ in 1...2 { try await mock.ask() }
                try mock.checkAllUsed()
            }
            best = min(best, start.duration(to: .now) / 25)
        }
        #expect(best < .microseconds(100))
    }
}
