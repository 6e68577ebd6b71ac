import Fixtures
import Foundation
import NetworkEngine
import NetworkEngineTesting

/// Requests per second against the loopback server, all clients in turn and in the same run.
enum Throughput {
    static func run(_ concurrencies: [Int]) async throws {
        let list = try Fixtures.data("UserListResponse")
        let server = try LoopbackServer { _ in .data(list, type: "application/json") }
        defer { server.stop() }
        let clients: [any LoadClient] = [
            CallbackClient(url: server.url), AsyncClient(url: server.url), ProviderClient(url: server.url),
        ]
        for concurrency in concurrencies.isEmpty ? [64, 1] : concurrencies {
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
