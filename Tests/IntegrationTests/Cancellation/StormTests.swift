import Foundation
import TestSupport
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(4)), .serialized) struct StormTests {
    /// `.ci/run` uses the long form.
    private static let count = TestLength.count(400, sanitized: 1_000, gate: 3_000, whole: 10_000)

    @Test(arguments: StormWire.Sort.allCases)
    func `a call that is canceled at any moment calls back once and leaves nothing behind`(
        sort: StormWire.Sort
    ) async throws {
        let storm = Storm()
        try await storm.blow(Self.count, over: sort)
        #expect(storm.callbacks.count == Self.count)
        #expect(storm.complaints.prefix(5) == [])
        #expect(storm.cancelledPhases == Set(StormCall.Phase.allCases).subtracting([.never]))
    }

    #if os(Linux)
    @Test func `file descriptors do not grow with the number of storms`() async {
        await #expect(processExitsWith: .success) {
            func descriptors() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            }
            try await Storm().blow(100, over: .sockets)
            let before = try descriptors()
            for _ in 0..<10 { try await Storm().blow(100, over: .sockets) }
            let growth = try descriptors() - before
            // The session eventually closes its last connections, seven at most.
            if growth > 14 { throw DescriptorsLeft(count: growth) }
        }
    }

    private struct DescriptorsLeft: Error { let count: Int }
    #endif
}
