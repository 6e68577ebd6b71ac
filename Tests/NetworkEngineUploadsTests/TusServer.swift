import Foundation
import TestSupport

@testable import NetworkEngine

/// An independent tus server: Python's tuspyserver, if installed.
final class TusServer: Sendable {
    let url: URL
    /// The folder with the uploads.
    let folder: URL
    private let process: ChildProcess

    static let isInstalled = Program.python(has: "tuspyserver", "uvicorn")

    init() async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("NetworkEngineTests-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("tus-server.py")
        let process = try ChildProcess(Program.python, ["-u", script.path, folder.path], discardsErrors: true)
        self.process = process
        url = try await process.address()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The number of bytes in all bodies.
    func receivedBytes() async throws -> Int64 {
        try await HTTPClient(baseURL: url).request(.get("/count"))
    }

    /// The files of the uploads.
    func files() throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
            .filter { UUID(uuidString: $0.lastPathComponent) != nil || $0.lastPathComponent.count == 32 }
    }
}
