import CAllocationCounter
import Foundation
import NetworkEngineCurl

/// The cost of a small request over libcurl compared with libcurl itself, and its rate compared with the C loop.
enum CurlCost {
    static func run(_ concurrencies: [Int], over wire: LoadServer.Wire = .plain) async throws {
        let server = try await LoadServer(over: wire)
        defer { server.stop() }
        var table = Table(
            "A small request over libcurl and \(wire.rawValue), from \(server.name), medians of 5",
            columns: ["client", "at a time", "requests/s", "of the C loop", "µs of CPU", "allocations"]
        )
        let clients = clients(of: server)
        for concurrency in concurrencies.isEmpty ? [64, 1, 256] : concurrencies {
            var figures: [[Figure]] = clients.map { _ in [] }
            for round in 0..<6 {
                for (index, client) in clients.enumerated() {
                    Progress.show("libcurl, \(concurrency) at a time, round \(round) of 5: \(client.name)")
                    let figure = try await measure(client, concurrency == 1 ? 5_000 : 20_000, concurrency)
                    if round > 0 { figures[index].append(figure) }
                }
            }
            for (client, own) in zip(clients, figures) {
                table.add(
                    client.name,
                    String(concurrency),
                    own.map(\.rate).median.rounded(to: 0),
                    zip(own, figures[0]).map { $0.rate / $1.rate }.median.rounded(to: 2),
                    own.map(\.microseconds).median.rounded(to: 1),
                    own.map(\.allocations).median.rounded(to: 1)
                )
            }
        }
        Progress.end()
        table.print()
    }

    /// Runs one client for a long time, for use with a profiler.
    static func profile(
        _ number: Int,
        requests: Int,
        concurrency: Int,
        over wire: LoadServer.Wire = .plain
    ) async throws {
        let server = try await LoadServer(over: wire)
        defer { server.stop() }
        let clients = clients(of: server)
        let client = clients.indices.contains(number) ? clients[number] : clients[clients.count - 1]
        let rate = try await client.rate(requests: requests, concurrency: concurrency)
        print("\(client.name): \(rate.rounded(to: 0)) requests/s")
    }

    private static func clients(of server: LoadServer) -> [any LoadClient] {
        [
            CurlLoopClient(url: server.url, authorities: server.authorities),
            CurlTransportClient(url: server.url, authorities: server.authorities),
            ProviderClient.overCurl(url: server.url, decodes: false, authorities: server.authorities),
            ProviderClient.observed(url: server.url, authorities: server.authorities),
        ]
    }

    private struct Figure {
        let rate: Double
        let microseconds: Double
        let allocations: Double
    }

    private static func measure(_ client: any LoadClient, _ requests: Int, _ concurrency: Int) async throws -> Figure {
        let allocations = allocation_count()
        let time = cpuTime
        let rate = try await client.rate(requests: requests, concurrency: concurrency)
        return Figure(
            rate: rate,
            microseconds: (cpuTime - time) / Double(requests),
            allocations: Double(allocation_count() - allocations) / Double(requests)
        )
    }

    /// The processor time of all threads in microseconds.
    static var cpuTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }
}
