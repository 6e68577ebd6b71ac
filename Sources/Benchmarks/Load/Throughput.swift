import Foundation
import NetworkEngineCurl

/// The requests per second against a server in another process, measured for all clients in turn within one run.
enum Throughput {
    /// - Parameter peers: other clients, as `NAME=COMMAND`.
    static func run(_ concurrencies: [Int], peers: [String]) async throws {
        let server = try await LoadServer()
        defer { server.stop() }
        var clients: [any LoadClient] = []
        for decodes in [false, true] {
            clients.append(CallbackClient(url: server.url.appendingPathComponent("users"), decodes: decodes))
            clients.append(AsyncClient(url: server.url.appendingPathComponent("users"), decodes: decodes))
            clients.append(ProviderClient.overURLSession(url: server.url, decodes: decodes))
            guard CurlTransport.isAvailable else { continue }
            if !decodes { clients.append(CurlLoopClient(url: server.url)) }
            if !decodes { clients.append(CurlTransportClient(url: server.url)) }
            if decodes { clients.append(SwiftLoopClient(url: server.url)) }
            clients.append(ProviderClient.overCurl(url: server.url, decodes: decodes))
        }
        clients += try peers.map { try PeerClient($0, url: server.url) }
        var chart = BarChart(
            title: "Requests per second, 1,525 bytes of JSON from \(server.name)",
            caption: "\(Machine.line); medians of 5")
        for concurrency in concurrencies.isEmpty ? [64, 1, 256] : concurrencies {
            let rates = try await rates(of: clients, concurrency)
            report(rates, clients, concurrency, server)
            chart.groups.append(group(rates, clients, concurrency))
        }
        Report.add(chart, named: "throughput")
    }

    /// The clients that decode nothing, fastest first.
    private static func group(_ rates: [[Double]], _ clients: [any LoadClient], _ concurrency: Int) -> BarChart.Group {
        let bars = zip(clients, rates).filter { !$0.0.decodes }.map { (name: $0.0.name, value: $0.1.median) }
        return BarChart.Group(title: "\(concurrency) at a time", bars: bars.sorted { $0.value > $1.value })
    }

    /// Runs six rounds, each client once per round; the first is a warm-up.
    private static func rates(of clients: [any LoadClient], _ concurrency: Int) async throws -> [[Double]] {
        var rates: [[Double]] = clients.map { _ in [] }
        for round in 0..<6 {
            for (index, client) in clients.enumerated() {
                Progress.show("throughput, \(concurrency) at a time, round \(round) of 5: \(client.name)")
                let requests = (concurrency == 1 ? 400 : 1_500) * client.speed
                let rate = try await client.rate(requests: requests, concurrency: concurrency)
                if round > 0 { rates[index].append(rate) }
            }
        }
        return rates
    }

    private static func report(
        _ rates: [[Double]],
        _ clients: [any LoadClient],
        _ concurrency: Int,
        _ server: LoadServer
    ) {
        var table = Table(
            "\(concurrency) at a time, 1,525 bytes of JSON from \(server.name), medians of 5",
            columns: ["client", "decodes", "requests/s", "of bare callbacks", "of the C loop"]
        )
        let loop = clients.firstIndex { $0 is CurlLoopClient }
        for (index, client) in clients.enumerated() {
            let bare = clients.firstIndex { $0 is CallbackClient && $0.decodes == client.decodes }
            table.add(
                client.name,
                client.decodes ? "yes" : "no",
                rates[index].median.rounded(to: 0),
                ratio(rates[index], bare.map { rates[$0] }),
                ratio(rates[index], loop.map { rates[$0] })
            )
        }
        table.print()
    }

    private static func ratio(_ own: [Double], _ base: [Double]?) -> String {
        guard let base else { return "-" }
        return zip(own, base).map { $0 / $1 }.median.rounded(to: 2)
    }
}
