import Dispatch
import Foundation

/// A part of a benchmark in a separate process, so that its memory is measured alone.
enum OwnProcess {
    struct Failed: Error { let output: String }

    /// Runs this program again.
    ///
    /// - Returns: The numbers that it prints.
    static func numbers(_ arguments: [String], count: Int) async throws -> [Double] {
        try await withCheckedThrowingContinuation { ended in
            DispatchQueue.global().async {
                ended.resume(
                    with: Result {
                        let process = Process()
                        let output = Pipe()
                        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
                        process.arguments = arguments
                        process.standardOutput = output
                        try process.run()
                        let data = output.fileHandleForReading.readDataToEndOfFile()
                        process.waitUntilExit()
                        let text = String(decoding: data, as: UTF8.self)
                        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
                        guard process.terminationStatus == 0, numbers.count == count else { throw Failed(output: text) }
                        return numbers
                    })
            }
        }
    }

    /// The peak resident memory of this process in MiB.
    static func peakMemory() throws -> Double { try memory("VmHWM:") }

    /// The resident memory of this process in MiB.
    static func memory() throws -> Double { try memory("VmRSS:") }

    private static func memory(_ name: String) throws -> Double {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        guard let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) })
        else { throw Failed(output: status) }
        return kibibytes / 1024
    }
}
