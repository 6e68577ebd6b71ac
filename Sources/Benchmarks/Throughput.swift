import Fixtures
import Foundation
import NetworkEngine
import NetworkEngineTesting

/// Requests per second against the loopback server, all clients in turn and in the same run.
enum Throughput {
    static func run() async throws {
        let list = try Fixtures.data("UserListResponse")
        let server = try LoopbackServer { _ in .data(list, type: "application/json") }
        defer { server.stop() }
        let clients: [any LoadClient] = [
            CallbackClient(url: server.url), AsyncClient(url: server.url), ProviderClient(url: server.url),
        ]
        for concurrency in [64, 1] {
            var rates: [[Double]] = clients.map { _ in [] }
            let requests = concurrency == 1 ? 1_500 : 6_000
            for round in 0..<6 {
                for (index, client) in clients.enumerated() {
                    let rate = try await client.rate(requests: requests, concurrency: concurrency)
                    if round > 0 { rates[index].append(rate) }
                }
            }
            report(clients, rates, concurrency, bytes: list.count)
        }
    }

    private static func report(_ clients: [any LoadClient], _ rates: [[Double]], _ concurrency: Int, bytes: Int) {
        var table = Table(
            "\(concurrency) at a time, \(bytes) bytes of JSON decoded (limit for the provider: 0.95)",
            columns: ["client", "requests/s, median of 5", "of bare callbacks, median of 5"]
        )
        for (client, own) in zip(clients, rates) {
            let ratios = zip(own, rates[0]).map { $0 / $1 }
            table.add(client.name, own.median.rounded(to: 0), ratios.median.rounded(to: 2))
        }
        table.print()
    }
}

/// Something that makes requests as fast as it can.
protocol LoadClient: Sendable {
    var name: String { get }

    /// Makes requests, so many at a time, and counts them per second.
    func rate(requests: Int, concurrency: Int) async throws -> Double
}

extension LoadClient {
    /// Runs as many loops as requests are wanted at a time.
    func loops(_ requests: Int, _ concurrency: Int, _ body: @escaping @Sendable () async throws -> Void) async throws
        -> Double
    {
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<concurrency {
                group.addTask {
                    for _ in 0..<requests / concurrency { try await body() }
                }
            }
            try await group.waitForAll()
        }
        return Double(requests / concurrency * concurrency) / (ContinuousClock.now - start).seconds
    }
}

struct UserList: Decodable, Sendable {
    struct User: Decodable, Sendable {
        var id: Int
        var first_name: String
        var last_name: String
        var email: String
        var is_active: Bool
    }

    var page: Int
    var total: Int
    var users: [User]
}
