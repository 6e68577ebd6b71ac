import Foundation
import NetworkEngine
import NetworkEngineCurl
import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The resources that remain after transfers are canceled at random times.
enum CancelUse {
    static func run() async throws {
        var table = Table(
            "1,000 transfers of each kind cancelled within 10 ms (limit: 0)",
            columns: ["transfer", "cancelled", "files left", "descriptors left"]
        )
        for usesCurl in [false, true] {
            for kind in ["download", "file upload", "form", "stream"] {
                Progress.show("\(kind), cancelled")
                table.add(try await row(kind, usesCurl: usesCurl))
            }
        }
        table.print()
    }

    private static func row(_ kind: String, usesCurl: Bool) async throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cancel-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("cancel-\(UUID().uuidString).bin")
        try Data(count: 4 << 20).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var limits = LoopbackConfiguration()
        limits.bodyRecordingLimit = 0
        limits.requestRecordingLimit = 0
        let server = try LoopbackServer(limits) { _ in
            LoopbackResponse(status: 200, headers: ["ETag": "\"v1\""], body: .repeating(Data([7]), count: 4 << 20))
        }
        var configuration = NetworkConfiguration()
        configuration.temporaryFolder = folder
        let transport: any Transport = usesCurl ? CurlTransport() : URLSessionTransport(configuration: .ephemeral)
        configuration.transport = transport
        let provider = NetworkProvider<TransferTarget>(configuration: configuration)
        _ = try await provider.data(TransferTarget(baseURL: server.url, path: "/", task: .requestPlain))
        let before = try descriptors()
        let cancelled = await storm(provider, kind, server.url, file)
        (transport as? CurlTransport)?.shutdown()
        (transport as? URLSessionTransport)?.shutdown()
        try await server.wait { $0.openConnections == 0 }
        server.stop()
        // Descriptors are closed shortly after the last call.
        for _ in 0..<100 where try descriptors() > before { try await Task.sleep(for: .milliseconds(20)) }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).count
        let spools = try FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path)
            .filter { $0.hasPrefix("NetworkEngine-") && $0.hasSuffix(".body") }.count
        let name = "\(kind), \(usesCurl ? "libcurl" : "URLSession")"
        return [name, "\(cancelled)", "\(files + spools)", "\(max(0, try descriptors() - before))"]
    }

    /// - Returns: The number of transfers that were canceled before their end. Returns when all calls have ended.
    private static func storm(
        _ provider: NetworkProvider<TransferTarget>,
        _ kind: String,
        _ url: URL,
        _ file: URL
    ) async -> Int {
        let cancelled = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    for _ in 0..<50 {
                        let call = Task { try await transfer(provider, kind, url, file) }
                        try? await Task.sleep(for: .microseconds(Int.random(in: 0...10_000)))
                        call.cancel()
                        if case .failure = await call.result { cancelled.withLock { $0 += 1 } }
                    }
                }
            }
        }
        return cancelled.withLock { $0 }
    }

    private static func transfer(
        _ provider: NetworkProvider<TransferTarget>,
        _ kind: String,
        _ url: URL,
        _ file: URL
    ) async throws {
        switch kind {
        case "download":
            let task = NetworkTask.downloadDestination(.temporary)
            let place = try await provider.download(TransferTarget(baseURL: url, path: "/", task: task))
            try FileManager.default.removeItem(at: place)
        case "stream":
            let target = TransferTarget(baseURL: url, path: "/", task: .requestPlain)
            for try await _ in try await provider.stream(target) {}
        default:
            let part = MultipartFormData(provider: .file(file), name: "a")
            let task = kind == "form" ? NetworkTask.uploadMultipart([part]) : .uploadFile(file)
            _ = try await provider.upload(
                TransferTarget(baseURL: url, path: "/", method: .put, task: task), as: EmptyBody.self)
        }
    }

    private static func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
}

extension Table {
    fileprivate mutating func add(_ cells: [String]) {
        guard cells.count == 4 else { return }
        add(cells[0], cells[1], cells[2], cells[3])
    }
}
