import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Thousands of simultaneous exchanges, which a configuration's limits allow.
@Suite(.timeLimit(.minutes(5))) struct RaisedLimitsTests {
    /// The time for four tasks that repeatedly need a thread from the pool.
    private func timeOfOthers() async throws -> Duration {
        try await ContinuousClock().measure {
            let tasks = (0..<4).map { _ in Task { for _ in 0..<200 { try await Task.sleep(for: .milliseconds(1)) } } }
            for task in tasks { try await task.value }
        }
    }

    /// Compares times while no other test needs the pool's threads: CI runs this suite alone.
    private static let isAlone = TestLength.isLong

    @Test func `other tasks go on while thousands of exchanges start`() async throws {
        let barrier = LoopbackBarrier()
        let server = try LoopbackServer { _ in LoopbackResponse.text("ok").held(by: barrier) }
        let sessions = URLSessionConfiguration.ephemeral
        sessions.httpMaximumConnectionsPerHost = 4_000
        var options = URLSessionOptions()
        options.totalLimit = 4_000
        let transport = URLSessionTransport(configuration: sessions, options: options)
        defer { transport.shutdown() }
        let before = try await timeOfOthers()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2_000 {
                group.addTask { _ = try await transport.send(server.request()) }
            }
            let during = try await timeOfOthers()
            barrier.open()
            try await group.waitForAll()
            let after = try await timeOfOthers()
            // With 3,000 of them, they took sixteen times as long when threads from the pool started the exchanges.
            if Self.isAlone { #expect(during < max(before, after, .milliseconds(500)) * 6) }
        }
    }
}
