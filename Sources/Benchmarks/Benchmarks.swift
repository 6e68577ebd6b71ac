/// Prints what the framework costs, each figure beside its baseline from the same run.
///
///     swift run -c release benchmarks [overhead] [ring] [mocks] [throughput] [memory]
///     swift run -c release benchmarks throughput 1        # requests at a time; 64 and 1 unless said
///     swift run -c release benchmarks memory 256          # connections; 256 and 6 unless said
@main
struct Benchmarks {
    static func main() async throws {
        if let part = MemoryPart() { return try await part.run() }
        let chosen = Set(CommandLine.arguments.dropFirst())
        let numbers = chosen.compactMap { Int($0) }
        // From a nonisolated task: on the main actor every awaited call would also pay two hops to it and back.
        try await Task.detached {
            if chosen.isEmpty || chosen.contains("overhead") { try await Overhead.run() }
            if chosen.isEmpty || chosen.contains("ring") { try await RingCost.run() }
            if chosen.isEmpty || chosen.contains("mocks") { try await MockCost.run() }
            if chosen.isEmpty || chosen.contains("throughput") { try await Throughput.run(numbers) }
            if chosen.isEmpty || chosen.contains("memory") { try await MemoryUse.run(connections: numbers) }
        }.value
    }
}
