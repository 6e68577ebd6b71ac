import Dispatch
import Foundation

/// Another client: a program that is called with the number of concurrent requests, the number of requests, and the
/// URL. It prints the requests per second.
struct PeerClient: LoadClient {
    let name: String
    let decodes = false
    let speed = 8
    private let command: [String]
    private let url: URL

    /// - Parameter text: `NAME=COMMAND`, where the command can have arguments.
    init(_ text: String, url: URL) throws {
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, case let words = parts[1].split(separator: " ").map(String.init), !words.isEmpty else {
            throw Malformed(text: text)
        }
        name = String(parts[0])
        command = words
        self.url = url.appendingPathComponent("users")
    }

    func rate(requests: Int, concurrency: Int) async throws -> Double {
        let arguments = command + [String(concurrency), String(requests), url.absoluteString]
        let output = try await output(of: arguments)
        guard let rate = output.split(whereSeparator: \.isWhitespace).last.flatMap({ Double($0) }), rate > 0 else {
            throw Malformed(text: "\(arguments.joined(separator: " ")) printed \"\(output)\", which ends with no rate")
        }
        return rate
    }

    private func output(of arguments: [String]) async throws -> String {
        try await withCheckedThrowingContinuation { ended in
            DispatchQueue.global().async {
                ended.resume(
                    with: Result {
                        let process = Process()
                        let output = Pipe()
                        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                        process.arguments = arguments
                        process.standardOutput = output
                        try process.run()
                        let data = output.fileHandleForReading.readDataToEndOfFile()
                        process.waitUntilExit()
                        return String(decoding: data, as: UTF8.self)
                    })
            }
        }
    }

    struct Malformed: Error { let text: String }
}
