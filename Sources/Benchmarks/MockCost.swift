import Foundation
import NetworkEngine
import NetworkEngineTesting

/// The time of a test with a mock: a provider, two scripted answers, two calls, and the check that all were used.
enum MockCost {
    static func run() async throws {
        var single: [Double] = []
        for _ in 0..<20 {
            let start = ContinuousClock.now
            for _ in 0..<50 { try await oneTest() }
            single.append((ContinuousClock.now - start).microseconds / 50)
        }
        let start = ContinuousClock.now
        try await withThrowingTaskGroup { group in
            for _ in 0..<1_000 { group.addTask { try await oneTest() } }
            try await group.waitForAll()
        }
        let storm = (ContinuousClock.now - start).seconds
        var table = Table("A test with MockTransport", columns: ["what", "figure", "limit"])
        table.add("one test, median of 20", single.median.rounded(to: 1) + " µs", "100 µs")
        table.add("a thousand at once", storm.rounded(to: 3) + " s", "2 s")
        table.print()
    }

    private static func oneTest() async throws {
        let mock = MockTransport(.json("{}"), .status(204))
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        let provider = NetworkProvider<Thing>(configuration: configuration)
        for number in 0..<2 { _ = try await provider.send(.thing(number)) }
        try mock.checkAllUsed()
    }
}
