import Dispatch
import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache
@testable import NetworkEngineTesting

/// Kills a process that is writing to a store, and checks what it left behind.
///
/// The test runs again in that process. `NETWORKENGINE_CACHE_KILLS` sets the number of processes.
@Suite(.timeLimit(.minutes(30)), .enabled(if: Program.canRepeatTests, "the tests cannot start themselves"))
struct CacheCrashTests {
    private static let folder = "NETWORKENGINE_CACHE_FOLDER"
    private static let keys = 0..<8
    private let variables = ProcessInfo.processInfo.environment

    @Test func `after its process was killed a store opens, has no wrong byte, and has lost nothing`() async throws {
        if let path = variables[Self.folder] {
            return try await write(to: URL(fileURLWithPath: path, isDirectory: true))
        }
        let folder = try TemporaryFolder()
        let url = folder.url
        var random = SeededGenerator(seed: 20)
        var written: Set<Int> = []
        for _ in 0..<(variables["NETWORKENGINE_CACHE_KILLS"].flatMap { Int($0) } ?? 3) {
            let count = Int.random(in: 1...40, using: &random)
            let output = try await outputUntilKilled(after: count, in: url)
            let stored = output.components(separatedBy: "stored\n").count - 1
            #expect(stored >= count)
            written.formUnion(Self.keys.prefix(stored))
            let store = try Self.store(url)
            for key in written {
                let entry = try #require(store.entries(for: .sample("/\(key)")).first)
                #expect(try entry.body.isIntact())
                let data = try entry.body.bytes(0..<entry.body.length)
                #expect(entry.response.headers["X"] == "\(data.count)" && data == .sample(data.count))
            }
            await store.store(.sample(1), .sample([:]), for: .sample("/other"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: url.path + "/responses-1").count <= 20)
        }
    }

    private static func store(_ url: URL) throws -> DiskCacheStore { try DiskCacheStore(folder: url, limit: 64 << 20) }

    /// Writes responses of varying length until the process is killed.
    private func write(to url: URL) async throws {
        let store = try Self.store(url)
        for number in 0..<100_000 {
            let length = number * 7919 % 150_000
            let key = CacheKey.sample("/\(number % Self.keys.count)")
            await store.store(.sample(length), .sample(["X": "\(length)"]), for: key)
            try FileHandle.standardOutput.write(contentsOf: Data("stored\n".utf8))
        }
    }

    private func outputUntilKilled(after count: Int, in url: URL) async throws -> String {
        let arguments = ["--testing-library", "swift-testing", "--filter", "CacheCrashTests"]
        let process = try ChildProcess(CommandLine.arguments[0], arguments, environment: [Self.folder: url.path])
        return await withCheckedContinuation { ended in
            DispatchQueue.global().async {
                let output = process.read { $0.components(separatedBy: "stored\n").count > count }
                process.kill()
                let rest = process.read()
                _ = process.wait()
                ended.resume(returning: output + rest)
            }
        }
    }
}
