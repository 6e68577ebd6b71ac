import Foundation
import NetworkEngine
import NetworkEngineTesting

/// Memory and rate of large bodies, the client in a process of its own, beside the bare transport's on the same file.
enum TransferUse {
    /// - Parameter chosen: the size of the large body in MiB; 1,024 unless said.
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
            var table = Table(
                "\(size >> 20) MiB over \(usesCurl ? "libcurl" : "URLSession") (limits: 16 MiB more, 0.9 of bare; parallel: 64 MiB)",
                columns: ["transfer", "more than idle, MiB", "MiB/s", "of bare"]
            )
            var bare: [TransferPart.Kind: Double] = [:]
            for kind in [TransferPart.Kind.bareDown, .bareUp, .down, .up, .multipart, .parallel] {
                Progress.show("\(kind.rawValue)")
                let figures = try await TransferPart.measure(kind, usesCurl: usesCurl, at: server.url, file: file)
                let bytes = kind == .parallel ? Double(1000 << 20) : Double(size)
                let rate = bytes / Double(1 << 20) / figures.seconds
                bare[kind] = rate
                let baseline = bare[kind == .down || kind == .bareDown ? .bareDown : .bareUp] ?? rate
                table.add(
                    kind == .parallel ? "100 downloads of 10 MiB at a time" : kind.rawValue,
                    (figures.peak - figures.before).rounded(to: 1), rate.rounded(to: 0),
                    kind == .parallel ? "" : (rate / baseline).rounded(to: 2))
            }
            table.print()
        }
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
