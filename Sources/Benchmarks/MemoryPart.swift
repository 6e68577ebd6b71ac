import Foundation

/// One client in a process of its own: makes all its requests at once, and says how much memory and time that took.
struct MemoryPart {
    enum Client: String, CaseIterable {
        case bare = "bare URLSession, callbacks"
        case provider = "provider over URLSession"
        case providerOverCurl = "provider over CurlTransport"
    }

    struct Figures {
        /// In MiB: before the first request, at most, and when all were answered.
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

    /// The part that this process was started for; `nil` for one that was started by hand.
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

    /// Runs a client in a process of its own.
    static func measure(_ client: Client, at url: URL, requests: Int, connections: Int) async throws -> Figures {
        let words = [mark, client.rawValue, url.absoluteString, "\(requests)", "\(connections)"]
        let numbers = try await OwnProcess.numbers(words, count: 4)
        return Figures(before: numbers[0], peak: numbers[1], after: numbers[2], seconds: numbers[3])
    }
}
