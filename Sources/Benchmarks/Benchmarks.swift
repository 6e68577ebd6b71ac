import Foundation

/// Prints the framework's costs, each compared with a baseline from the same run.
///
///     swift run -c release benchmarks [overhead] [ring] [decoding] [mocks] [observers] [throughput] [latency]
///         [first] [memory] [streams] [growth] [curl] [loops] [sockets] [--report folder]
///     swift run -c release benchmarks throughput 1        # requests at a time; 64, 1 and 256 unless said; also curl
///     swift run -c release benchmarks throughput --peer NAME=COMMAND --report folder     # beside other clients
///     swift run -c release benchmarks transfers latency first memory streams --report folder # what must not get worse
///     swift run -c release benchmarks tls 64              # requests at a time over TLS 1.3, with HTTP/1.1 and HTTP/2
///     swift run -c release benchmarks memory 256          # connections; 256 and 6 unless said
///     swift run -c release benchmarks transfers 1024      # MiB; also resume, cancel
///     swift run -c release benchmarks profile 2 200000 64 # of C loop, transport, provider; requests; at a time;
///                                                         # also tls, http2
///     swift run -c release benchmarks profile decoding 1 200000 # of the documents; times
@main
struct Benchmarks {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let port = arguments.dropFirst().first, arguments.first == "serve" {
            return try await LoadServer.serve(port: port)
        }
        if let part = MemoryPart() { return try await part.run() }
        if let part = TransferPart() { return try await part.run() }
        if try await FirstCall.runPart() { return }
        let folder = arguments.firstIndex(of: "--report").flatMap { arguments.dropFirst($0 + 1).first }
        let words = arguments.prefix { !$0.hasPrefix("--") }
        let peers = arguments.indices.filter { arguments[$0] == "--peer" }.compactMap {
            arguments.dropFirst($0 + 1).first
        }
        let numbers = words.compactMap { Int($0) }
        let chosen = Set(words)
        // From a nonisolated task: on the main actor every awaited call would include two extra actor hops.
        try await Task.detached {
            if chosen.isEmpty || chosen.contains("overhead") { try await Overhead.run() }
            if chosen.isEmpty || chosen.contains("calls") { try await CallMemory.run() }
            if chosen.isEmpty || chosen.contains("ring") { try await RingCost.run() }
            if chosen.isEmpty || chosen.contains("decoding"), !chosen.contains("profile") { try DecodingCost.run() }
            if chosen.isEmpty || chosen.contains("mocks") { try await MockCost.run() }
            if chosen.isEmpty || chosen.contains("observers") { ObserverCost.run() }
            if chosen.isEmpty || chosen.contains("throughput") { try await Throughput.run(numbers, peers: peers) }
            if chosen.isEmpty || chosen.contains("memory") { try await MemoryUse.run(connections: numbers) }
            if chosen.isEmpty || chosen.contains("latency") { try await Latency.run() }
            if chosen.isEmpty || chosen.contains("first") { try await FirstCall.run() }
            if chosen.isEmpty || chosen.contains("streams") { try await StreamReading.run() }
            if chosen.isEmpty || chosen.contains("growth") { try await Growth.run() }
            if chosen.isEmpty || chosen.contains("curl") { try await CurlCost.run(numbers) }
            if chosen.isEmpty || chosen.contains("loops") { try await LoopUse.run(numbers) }
            if chosen.isEmpty || chosen.contains("sockets") { try await SocketUse.run(numbers) }
            if chosen.contains("tls"), !chosen.contains("profile") {
                try await CurlCost.run(numbers, over: .tls)
                try await CurlCost.run(numbers, over: .http2)
            }
            if chosen.contains("transfers") { try await TransferUse.run(numbers) }
            if chosen.contains("resume") { try await ResumeUse.run() }
            if chosen.contains("cancel") { try await CancelUse.run() }
            if chosen.contains("profile"), chosen.contains("decoding") {
                try DecodingCost.profile(numbers.first ?? 1, times: numbers.dropFirst().first ?? 200_000)
            } else if chosen.contains("profile") {
                try await CurlCost.profile(
                    numbers.first ?? 2,
                    requests: numbers.dropFirst().first ?? 200_000,
                    concurrency: numbers.dropFirst(2).first ?? 64,
                    over: chosen.contains("http2") ? .http2 : chosen.contains("tls") ? .tls : .plain
                )
            }
            if let folder { try Report.write(to: URL(fileURLWithPath: folder)) }
        }.value
    }
}
