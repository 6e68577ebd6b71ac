import Foundation

/// The cost of a request among ten to ten thousand concurrent ones.
enum Growth {
    private static let connections = 256

    static func run() async throws {
        let server = try await LoadServer()
        defer { server.stop() }
        var table = Table(
            "All requests at once over \(connections) connections, with decoding, from \(server.name), medians of 5",
            columns: [
                "client", "requests", "µs each", "of bare callbacks", "KiB each in flight", "KiB each, all answered",
            ]
        )
        for requests in [10, 100, 1_000, 10_000] {
            var bare: [MemoryPart.Figures] = []
            for client in [MemoryPart.Client.bare, .provider, .providerOverCurl] {
                var own: [MemoryPart.Figures] = []
                for round in 1...5 {
                    Progress.show("\(requests) at once, round \(round) of 5: \(client.rawValue)")
                    let figures = try await MemoryPart.measure(
                        client, at: server.url, requests: requests, connections: connections)
                    own.append(figures)
                }
                if bare.isEmpty { bare = own }
                func each(_ value: (MemoryPart.Figures) -> Double) -> Double {
                    own.map(value).median / Double(requests)
                }
                table.add(
                    client.rawValue,
                    "\(requests)",
                    each { $0.seconds * 1e6 }.rounded(to: 0),
                    zip(own, bare).map { $0.seconds / $1.seconds }.median.rounded(to: 2),
                    each { ($0.peak - $0.before) * 1024 }.rounded(to: 1),
                    each { ($0.after - $0.before) * 1024 }.rounded(to: 1)
                )
            }
        }
        table.print()
    }
}
