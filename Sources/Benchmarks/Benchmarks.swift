/// Prints what the framework costs, each figure beside its baseline from the same run.
///
///     swift run -c release benchmarks [overhead] [mocks] [throughput] [memory]
@main
struct Benchmarks {
    static func main() async throws {
        if let part = MemoryPart() { return try await part.run() }
        let chosen = Set(CommandLine.arguments.dropFirst())
        // From a nonisolated task: on the main actor every awaited call would also pay two hops to it and back.
        try await Task.detached {
            if chosen.isEmpty || chosen.contains("overhead") { try await Overhead.run() }
            if chosen.isEmpty || chosen.contains("mocks") { try await MockCost.run() }
            if chosen.isEmpty || chosen.contains("throughput") { try await Throughput.run() }
            if chosen.isEmpty || chosen.contains("memory") { try await MemoryUse.run() }
        }.value
    }
}
