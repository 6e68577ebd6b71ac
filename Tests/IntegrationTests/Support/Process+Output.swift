import Foundation

extension Process {
    /// Runs it, and waits for all it has to say without holding a thread.
    func output() async throws -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("NetworkEngineOutput-\(UUID())")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let handle = try FileHandle(forWritingTo: file)
        (standardOutput, standardError) = (handle, handle)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { ended in
                terminationHandler = { _ in ended.resume() }
                do { try run() } catch { ended.resume(throwing: error) }
            }
        } onCancel: {
            // Whoever waits no longer leaves nothing running behind.
            if isRunning { kill(processIdentifier, SIGKILL) }
        }
        return try String(contentsOf: file, encoding: .utf8)
    }

    static func output(of program: String, _ arguments: [String]) async throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        return try await process.output()
    }
}
