import Foundation

#if !os(macOS) && canImport(Darwin)
/// Replaces Foundation's, which is missing on simulators and devices: the benchmarks compile there, but start nothing.
final class Process {
    struct Unavailable: Error {}

    var executableURL: URL?
    var arguments: [String]?
    var standardInput: Any?
    var standardOutput: Any?
    var standardError: Any?
    let terminationStatus: Int32 = 1

    static func run(_ url: URL, arguments: [String]) throws -> Process { throw Unavailable() }

    func run() throws { throw Unavailable() }
    func terminate() {}
    func waitUntilExit() {}
}
#endif
