import Foundation
import NetworkEngineCurl

/// The time of a process's first call, each client in a separate process, compared with its second call.
enum FirstCall {
    private static let mark = "first-part"

    fileprivate enum Client: String, CaseIterable {
        case bare = "bare URLSession, callbacks"
        case provider = "provider over URLSession"
        case loop = "bare libcurl loop in C"
        case providerOverCurl = "provider over CurlTransport"

        var needsCurl: Bool { self == .loop || self == .providerOverCurl }

        func client(for url: URL) -> any LoadClient {
            switch self {
            case .bare: CallbackClient(url: url.appendingPathComponent("users"))
            case .provider: ProviderClient.overURLSession(url: url, decodes: true)
            case .loop: CurlLoopClient(url: url)
            case .providerOverCurl: ProviderClient.overCurl(url: url, decodes: true)
            }
        }
    }

    /// Runs twenty-one rounds, each client once per round; the first one fills the system's caches.
    static func run() async throws {
        let server = try await LoadServer()
        defer { server.stop() }
        let clients = Client.allCases.filter { CurlTransport.isAvailable || !$0.needsCurl }
        var figures: [[(first: Double, second: Double)]] = clients.map { _ in [] }
        for round in 0..<21 {
            for (index, client) in clients.enumerated() {
                Progress.show("first calls, round \(round) of 20: \(client.rawValue)")
                let words = [mark, client.rawValue, server.url.absoluteString]
                let numbers = try await OwnProcess.numbers(words, count: 2)
                if round > 0 { figures[index].append((numbers[0], numbers[1])) }
            }
        }
        var table = Table(
            "The first call of a process, from \(server.name), ms, medians of 20",
            columns: ["client", "first", "second", "first, of bare"]
        )
        for (client, own) in zip(clients, figures) {
            let base = figures[clients.firstIndex(of: client.needsCurl ? .loop : .bare) ?? 0]
            table.add(
                client.rawValue,
                own.map(\.first).median.rounded(to: 2),
                own.map(\.second).median.rounded(to: 2),
                zip(own, base).map { $0.first / $1.first }.median.rounded(to: 2)
            )
        }
        table.print()
    }

    /// Makes two calls in this process if `run` has started it.
    ///
    /// - Returns: Whether it did.
    static func runPart() async throws -> Bool {
        let words = CommandLine.arguments
        guard words.count == 4, words[1] == mark, let client = Client(rawValue: words[2]),
            let url = URL(string: words[3])
        else { return false }
        let start = ContinuousClock.now
        let load = client.client(for: url)
        _ = try await load.rate(requests: 1, concurrency: 1)
        let first = ContinuousClock.now
        _ = try await load.rate(requests: 1, concurrency: 1)
        print((first - start).microseconds / 1_000, (ContinuousClock.now - first).microseconds / 1_000)
        return true
    }
}
