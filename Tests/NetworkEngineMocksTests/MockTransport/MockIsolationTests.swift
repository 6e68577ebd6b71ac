import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)))
struct MockIsolationTests {
    @Test func `a thousand concurrent mocks are independent`() async throws {
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
    }

    @Test func `one mock with thousands of callers gives every answer once`() async throws {
        let mock = MockTransport()
        mock.on().answers((1...2_000).map { .status(200, body: "\($0)") })
        let bodies = try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 1...2_000 { group.addTask { try await mock.ask().data } }
            return try await group.reduce(into: Set<Data>()) { $0.insert($1) }
        }
        #expect(bodies.count == 2_000 && mock.requests.count == 2_000)
        try mock.checkAllUsed()
    }
}
