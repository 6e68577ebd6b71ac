import Foundation
import NetworkEngineCurl

/// The latency of a request, measured for all clients in turn within one run.
enum Latency {
    static func run() async throws {
        let server = try await LoadServer()
        defer { server.stop() }
        var clients: [any OneByOne] = [
            CallbackClient(url: server.url.appendingPathComponent("users")),
            AsyncClient(url: server.url.appendingPathComponent("users")),
            ProviderClient.overURLSession(url: server.url, decodes: true),
        ]
        if CurlTransport.isAvailable { clients.append(ProviderClient.overCurl(url: server.url, decodes: true)) }
        var table = Table(
            "Latency with decoding, from \(server.name), ms, medians of 5",
            columns: ["client", "at a time", "half within", "90 %", "99 %", "99.9 %", "longest", "half, of bare"]
        )
        for concurrency in [1, 64, 1_000] {
            let times = try await times(of: clients, concurrency)
            for (client, own) in zip(clients, times) {
                func within(_ share: Double) -> Double { own.map { $0.value(at: share) }.median }
                table.add(
                    client.name,
                    "\(concurrency)",
                    within(0.5).rounded(to: 2),
                    within(0.9).rounded(to: 2),
                    within(0.99).rounded(to: 2),
                    within(0.999).rounded(to: 2),
                    within(1).rounded(to: 2),
                    zip(own, times[0]).map { $0.value(at: 0.5) / $1.value(at: 0.5) }.median.rounded(to: 2)
                )
            }
        }
        table.print()
    }

    /// Runs five rounds of each client after a warm-up, and returns each round sorted.
    private static func times(of clients: [any OneByOne], _ concurrency: Int) async throws -> [[[Double]]] {
        var times: [[[Double]]] = clients.map { _ in [] }
        for round in 0..<6 {
            for (index, client) in clients.enumerated() {
                Progress.show("latency, \(concurrency) at a time, round \(round) of 5: \(client.name)")
                // Each caller makes ten or more calls.
                let requests = max((concurrency == 1 ? 500 : 2_000) * client.speed, concurrency * 10)
                let own = try await Self.times(of: client, requests, concurrency)
                if round > 0 { times[index].append(own) }
            }
        }
        return times
    }

    private static func times(of client: any OneByOne, _ requests: Int, _ concurrency: Int) async throws -> [Double] {
        try await withThrowingTaskGroup(of: [Double].self) { group in
            for _ in 0..<concurrency {
                group.addTask {
                    var times: [Double] = []
                    for _ in 0..<requests / concurrency {
                        let start = ContinuousClock.now
                        try await client.send()
                        times.append((ContinuousClock.now - start).microseconds / 1_000)
                    }
                    return times
                }
            }
            return try await group.reduce([], +).sorted()
        }
    }
}

extension [Double] {
    /// The value at a quantile of sorted values.
    fileprivate func value(at share: Double) -> Double {
        guard let last else { return .nan }
        return share >= 1 ? last : self[Int(share * Double(count))]
    }
}
