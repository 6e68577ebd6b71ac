import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache

/// Several processes that share a folder. The test runs again in each of them.
@Suite(.timeLimit(.minutes(10)), .enabled(if: Program.canRepeatTests, "the tests cannot start themselves"))
struct CacheProcessesTests {
    private static let folder = "NETWORKENGINE_SHARED_CACHE"
    private static let keys = 0..<5
    private static let limit = 2 << 20
    private let variables = ProcessInfo.processInfo.environment

    @Test func `two processes write to a folder while a third reads whole responses, and none is lost`() async throws {
        if let path = variables[Self.folder] {
            return try await write(to: URL(fileURLWithPath: path, isDirectory: true))
        }
        let folder = try TemporaryFolder()
        let store = try DiskCacheStore(folder: folder.url, limit: Self.limit)
        for key in Self.keys { await store.store(.sample(20_000), .sample(["X": "20000"]), for: .sample("/\(key)")) }
        let writers = try (0..<2).map { number in
            try ChildProcess(
                CommandLine.arguments[0], ["--testing-library", "swift-testing", "--filter", "CacheProcessesTests"],
                environment: [Self.folder: folder.url.path, "NETWORKENGINE_WRITER": "\(number)"])
        }
        let ends = writers.map { writer in Task.detached { writer.read() } }
        let reading = Task.detached {
            var readings = 0
            while !Task.isCancelled {
                for key in Self.keys { try Self.check(store, key) }
                readings += 1
                await Task.yield()
            }
            return readings
        }
        for end in ends {
            let output = await end.value
            #expect(output.components(separatedBy: "stored\n").count - 1 == 150)
        }
        for writer in writers { #expect(writer.wait() == 0) }
        reading.cancel()
        #expect(try await reading.value > 0)
        let fresh = try DiskCacheStore(folder: folder.url, limit: Self.limit)
        for key in Self.keys { try Self.check(fresh, key) }
        #expect(fresh.size <= Self.limit)
    }

    /// Expects one complete response for a key.
    private static func check(_ store: DiskCacheStore, _ key: Int) throws {
        let entry = try #require(store.entries(for: .sample("/\(key)")).first, "a response was lost")
        #expect(try entry.body.isIntact())
        let data = try entry.body.bytes(0..<entry.body.length)
        #expect(entry.response.headers["X"] == "\(data.count)" && data == .sample(data.count))
    }

    private func write(to url: URL) async throws {
        let store = try DiskCacheStore(folder: url, limit: Self.limit)
        let writer = variables["NETWORKENGINE_WRITER"].flatMap { Int($0) } ?? 0
        for number in 0..<150 {
            let length = (number * 7919 + writer * 104_729) % 150_000
            let key = CacheKey.sample("/\(number % Self.keys.count)")
            await store.store(.sample(length), .sample(["X": "\(length)"]), for: key)
            try FileHandle.standardOutput.write(contentsOf: Data("stored\n".utf8))
        }
    }
}
