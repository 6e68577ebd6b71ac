import Foundation
import NetworkEngine
import NetworkEngineTesting

/// The memory and rate of large bodies, each client in a separate process, compared with the bare transport on the same
/// file.
enum TransferUse {
    /// - Parameter chosen: The size of the large body in MiB; 1,024 by default.
    static func run(_ chosen: [Int]) async throws {
        let size = (chosen.first ?? 1024) << 20
        let file = URL.freshTemporaryFile
        guard FileManager.default.createFile(atPath: file.path, contents: nil) else { throw LoadFailure() }
        defer { try? FileManager.default.removeItem(at: file) }
        let handle = try FileHandle(forWritingTo: file)
        let block = Data((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        for _ in 0..<size / block.count { try handle.write(contentsOf: block) }
        try handle.close()
        let server = try server(size, block)
        defer { server.stop() }
        for usesCurl in [false, true] {
            try await measure(size, usesCurl: usesCurl, at: server.url, file: file)
        }
    }

    /// Runs five rounds, each kind once per round.
    private static func measure(_ size: Int, usesCurl: Bool, at url: URL, file: URL) async throws {
        let kinds: [TransferPart.Kind] = [
            .bareDown, .down, .bareUp, .up, .multipart, .bareParallel, .parallel,
        ]
        var figures: [TransferPart.Kind: [TransferPart.Figures]] = [:]
        let name = usesCurl ? "libcurl" : "URLSession"
        for round in 1...5 {
            for kind in kinds {
                Progress.show("transfers over \(name), round \(round) of 5: \(kind.rawValue)")
                let figure = try await TransferPart.measure(kind, usesCurl: usesCurl, at: url, file: file)
                figures[kind, default: []].append(figure)
            }
        }
        Progress.end()
        var table = Table(
            "\(size >> 20) MiB over \(name), medians of 5 (limits: 16 MiB more, 0.9 of bare; parallel, 100 downloads of 10 MiB at a time: 64 MiB)",
            columns: ["transfer", "more than idle, MiB", "at most", "MiB/s", "of bare"]
        )
        for kind in kinds {
            let own = figures[kind] ?? []
            let memory = own.map { $0.peak - $0.before }
            let bytes = Double(kind.baseline == .bareParallel ? 1000 : size >> 20)
            table.add(
                kind.rawValue,
                memory.median.rounded(to: 1), (memory.max() ?? 0).rounded(to: 1),
                own.map { bytes / $0.seconds }.median.rounded(to: 0),
                zip(figures[kind.baseline] ?? [], own).map { $0.seconds / $1.seconds }.median.rounded(to: 2)
            )
        }
        table.print()
    }

    private static func server(_ size: Int, _ block: Data) throws -> LoopbackServer {
        var configuration = LoopbackConfiguration()
        configuration.bodyRecordingLimit = 0
        configuration.requestRecordingLimit = 0
        return try LoopbackServer(configuration) { request in
            switch request.path {
            case "/large": body(.repeating(block, count: size))
            case "/medium": body(.repeating(block, count: 10 << 20))
            default: .status(204)
            }
        }
    }

    private static func body(_ body: LoopbackBody) -> LoopbackResponse {
        LoopbackResponse(status: 200, headers: ["ETag": "\"v1\""], body: body)
    }
}
