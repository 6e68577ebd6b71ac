import Dispatch
import Foundation

/// One client in a process of its own: makes its requests and says how much memory that took at most.
struct MemoryPart {
    enum Client: String, CaseIterable {
        case bare = "bare URLSession, callbacks"
        case provider = "provider over URLSession"
    }

    /// In MiB.
    struct Figures {
        let before: Double
        let peak: Double
    }

    struct Failed: Error { let output: String }

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
            }
        let before = try Self.peak()
        _ = try await load.rate(requests: requests, concurrency: requests)
        print(before, try Self.peak())
    }

    /// Runs a client in a process of its own.
    static func measure(_ client: Client, at url: URL, requests: Int, connections: Int) async throws -> Figures {
        try await withCheckedThrowingContinuation { ended in
            DispatchQueue.global().async {
                ended.resume(
                    with: Result {
                        let process = Process()
                        let output = Pipe()
                        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
                        process.arguments = [
                            mark, client.rawValue, url.absoluteString, "\(requests)", "\(connections)",
                        ]
                        process.standardOutput = output
                        try process.run()
                        let data = output.fileHandleForReading.readDataToEndOfFile()
                        process.waitUntilExit()
                        let text = String(decoding: data, as: UTF8.self)
                        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
                        guard process.terminationStatus == 0, numbers.count == 2 else { throw Failed(output: text) }
                        return Figures(before: numbers[0], peak: numbers[1])
                    })
            }
        }
    }

    /// The most memory that was resident so far: the high-water mark that Linux keeps since the program began.
    private static func peak() throws -> Double {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        guard let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) })
        else { throw Failed(output: status) }
        return kibibytes / 1024
    }
}
