import Fixtures
import Foundation
import NetworkEngine
import NetworkEngineTesting

/// The memory for thousands of concurrent requests, each client in a separate process.
enum MemoryUse {
    private static let requests = 5_000

    static func run(connections chosen: [Int]) async throws {
        let list = try Fixtures.data("UserListResponse")
        // The platform takes minutes with more connections.
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
        // Responses start when all requests are in flight: those with a connection have arrived, and the others get a
        // few seconds, because the platform needs that time to create five thousand tasks.
        try await barrier.arrivals(atLeast: connections)
        try await Task.sleep(for: .seconds(5))
        barrier.open()
        return try await figures
    }
}

/// Runs one client in a separate process: sends all requests simultaneously and reports memory and time.
struct MemoryPart {
    enum Client: String, CaseIterable {
        case bare = "bare URLSession, callbacks"
        case provider = "provider over URLSession"
        case providerOverCurl = "provider over CurlTransport"
    }

    struct Figures {
        /// In MiB: before the first request, at the peak, and after the last response.
        let before: Double
        let peak: Double
        let after: Double
        let seconds: Double
    }

    private static let mark = "memory-part"
    private let client: Client
    private let url: URL
    private let requests: Int
    private let connections: Int

    /// The part to run in this process; `nil` if the process was not started by `measure`.
    init?() {
        let words = CommandLine.arguments
        guard words.count == 6, words[1] == Self.mark, let client = Client(rawValue: words[2]),
            let url = URL(string: words[3]), let requests = Int(words[4]), let connections = Int(words[5])
        else { return nil }
        (self.client, self.url, self.requests, self.connections) = (client, url, requests, connections)
    }

    func run() async throws {
        let load: any LoadClient =
            switch client {
            case .bare: CallbackClient(url: url.appendingPathComponent("users"), connections: connections)
            case .provider: ProviderClient.overURLSession(url: url, decodes: true, connections: connections)
            case .providerOverCurl: ProviderClient.overCurl(url: url, decodes: true)
            }
        let before = try OwnProcess.peakMemory()
        let rate = try await load.rate(requests: requests, concurrency: requests)
        print(before, try OwnProcess.peakMemory(), try OwnProcess.memory(), Double(requests) / rate)
    }

    /// Runs a client in a separate process.
    static func measure(_ client: Client, at url: URL, requests: Int, connections: Int) async throws -> Figures {
        let words = [mark, client.rawValue, url.absoluteString, "\(requests)", "\(connections)"]
        let numbers = try await OwnProcess.numbers(words, count: 4)
        return Figures(before: numbers[0], peak: numbers[1], after: numbers[2], seconds: numbers[3])
    }
}
