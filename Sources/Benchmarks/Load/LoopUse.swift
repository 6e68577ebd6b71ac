import Foundation
import NetworkEngine
import NetworkEngineCurl

/// A transport's requests on several threads, compared with the same requests on one.
///
/// A small response costs the server about as much as the client. A compressed one costs mostly the client.
enum LoopUse {
    private struct Load {
        let name: String
        let path: String
        let requests: Int
        let origins: Int
    }

    private struct Client: OneByOne {
        let name = ""
        let decodes = false
        let transport: CurlTransport
        let urls: [URL]

        init(threads: Int, _ urls: [URL]) {
            var configuration = CurlConfiguration.load()
            configuration.threads = threads
            transport = CurlTransport(configuration: configuration)
            self.urls = urls
        }

        func send() async throws {
            guard let url = urls.randomElement() else { return }
            _ = try await transport.send(HTTPRequest(url: url), context: TransportContext())
        }
    }

    static func run(_ numbers: [Int]) async throws {
        let threads = numbers.first ?? 2
        let server = try await LoadServer(origins: 8)
        defer { server.stop() }
        var table = Table(
            "Requests of one transport on \(threads) threads, 64 at a time, from \(server.name), medians of 5",
            columns: [
                "response", "origins", "requests/s, one thread", "\(threads) threads", "ratio", "µs of CPU", "ratio",
            ]
        )
        for origins in [1, 2, 8] {
            for load in [
                Load(name: "1.5 KB", path: "users", requests: 20_000, origins: origins),
                Load(name: "300 KB, compressed", path: "list", requests: 2_000, origins: origins),
            ] { try await measure(load, threads, server, &table) }
        }
        Progress.end()
        table.print()
    }

    private static func measure(_ load: Load, _ threads: Int, _ server: LoadServer, _ table: inout Table) async throws {
        let urls = server.origins.prefix(load.origins).map { $0.appendingPathComponent(load.path) }
        let clients = [Client(threads: 1, urls), Client(threads: threads, urls)]
        var figures: [[(rate: Double, cost: Double)]] = [[], []]
        for round in 0..<6 {
            for (index, client) in clients.enumerated() {
                Progress.show("threads, \(load.name), \(load.origins) origins, round \(round) of 5")
                let time = CurlCost.cpuTime
                let rate = try await client.rate(requests: load.requests, concurrency: 64)
                let cost = (CurlCost.cpuTime - time) / Double(load.requests)
                if round > 0 { figures[index].append((rate, cost)) }
            }
        }
        for client in clients { client.transport.shutdown() }
        table.add(
            load.name,
            String(load.origins),
            figures[0].map(\.rate).median.rounded(to: 0),
            figures[1].map(\.rate).median.rounded(to: 0),
            zip(figures[1], figures[0]).map { $0.rate / $1.rate }.median.rounded(to: 2),
            figures[0].map(\.cost).median.rounded(to: 1),
            zip(figures[1], figures[0]).map { $0.cost / $1.cost }.median.rounded(to: 2)
        )
    }
}
