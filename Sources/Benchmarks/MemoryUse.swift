import Fixtures
import Foundation
import NetworkEngine
import NetworkEngineTesting

/// The memory that thousands of requests need while they are in flight, each client in a process of its own.
enum MemoryUse {
    private static let requests = 5_000

    static func run(connections chosen: [Int]) async throws {
        let list = try Fixtures.data("UserListResponse")
        // More connections than this take the platform minutes.
        for connections in chosen.isEmpty ? [256, 6] : chosen {
            var table = Table(
                "\(requests) requests in flight over \(connections) connections (limit for the provider: 1.5)",
                columns: ["client", "peak of the process, MiB, median of 3", "before, MiB", "of bare callbacks"]
            )
            var baseline: Double?
            for client in [MemoryPart.Client.bare, .provider] {
                var figures: [MemoryPart.Figures] = []
                for _ in 0..<3 { figures.append(try await measure(client, connections: connections, answering: list)) }
                let peak = figures.map(\.peak).median
                let ratio = peak / (baseline ?? peak)
                baseline = baseline ?? peak
                table.add(
                    client.rawValue, peak.rounded(to: 1), figures.map(\.before).median.rounded(to: 1),
                    ratio.rounded(to: 2))
            }
            table.print()
        }
    }

    private static func measure(
        _ client: MemoryPart.Client,
        connections: Int,
        answering body: Data
    ) async throws -> MemoryPart.Figures {
        let barrier = LoopbackBarrier()
        var configuration = LoopbackConfiguration()
        configuration.requestRecordingLimit = 0
        let server = try LoopbackServer(configuration) { request in
            let answer = LoopbackResponse.data(body, type: "application/json")
            return request.path == "/users" ? answer.held(by: barrier) : answer
        }
        defer { server.stop() }
        async let figures = MemoryPart.measure(client, at: server.url, requests: requests, connections: connections)
        // No answer before all are in flight: those that have a connection have come, the others have some seconds for
        // it, which the platform needs to make five thousand tasks.
        try await barrier.arrivals(atLeast: connections)
        try await Task.sleep(for: .seconds(5))
        barrier.open()
        return try await figures
    }
}
