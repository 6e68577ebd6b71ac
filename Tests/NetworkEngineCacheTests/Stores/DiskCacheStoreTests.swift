import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache

@Suite(.timeLimit(.minutes(5))) struct DiskCacheStoreTests {
    private let long = CacheStoreTests.long

    private func files(in folder: URL) throws -> [URL] {
        let subfolder = folder.appendingPathComponent("responses-1")
        return try FileManager.default.contentsOfDirectory(at: subfolder, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }
    }

    private func permissions(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    @Test(arguments: [10, CacheStoreTests.long]) func `a response survives the store`(length: Int) async throws {
        let folder = try TemporaryFolder()
        try await DiskCacheStore(folder: folder.url, limit: 1 << 20).store(
            .sample(length), .sample(["X": "1"]), for: .sample())
        let again = try DiskCacheStore(folder: folder.url, limit: 1 << 20)
        let entry = try #require(again.entries(for: .sample()).first)
        #expect(try entry.body.isIntact() && entry.body.bytes(0..<Int64(length)) == .sample(length))
    }

    @Test func `two stores share a folder`() async throws {
        let folder = try TemporaryFolder()
        let stores = [
            try DiskCacheStore(folder: folder.url, limit: 1 << 20),
            try DiskCacheStore(folder: folder.url, limit: 1 << 20),
        ]
        await stores[0].store(.sample(long), .sample(["X": "1"]), for: .sample())
        let entry = try #require(stores[1].entries(for: .sample()).first)
        await stores[1].store(.sample(5), .sample(["X": "2"]), for: .sample())
        #expect(stores[0].entries(for: .sample()).first?.response.headers["X"] == "2")
        #expect(try entry.body.isIntact())
        stores[0].remove(.sample())
        #expect(stores[1].entries(for: .sample()).isEmpty)
    }

    @Test func `concurrent writers of two stores leave whole responses`() async throws {
        let folder = try TemporaryFolder()
        let stores = [
            try DiskCacheStore(folder: folder.url, limit: 2 << 20),
            try DiskCacheStore(folder: folder.url, limit: 2 << 20),
        ]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    let store = stores[worker % 2]
                    for round in 0..<20 {
                        let length = (worker * 7919 + round * 104_729) % 150_000
                        await store.store(.sample(length), .sample(["X": "\(length)"]), for: .sample("/\(round % 5)"))
                        for entry in store.entries(for: .sample("/\((round + worker) % 5)")) {
                            #expect(try entry.body.isIntact())
                            let data = try entry.body.bytes(0..<entry.body.length)
                            #expect(entry.response.headers["X"] == "\(data.count)" && data == .sample(data.count))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(stores[0].size <= 2 << 20)
    }

    @Test func `names and records reveal nothing, and only the user can read them`() async throws {
        let folder = try TemporaryFolder()
        let store = try DiskCacheStore(folder: folder.url, limit: 1 << 20)
        let request = HTTPRequest.cached(["Authorization": "Bearer canary"], "https://canary.example/canary?canary=1")
        let stored = try #require(
            StoredResponse.storing(["Cache-Control": "max-age=60", "Vary": "Authorization"], to: request))
        await store.store(.sample(long), stored, for: CacheKey(request.url))
        await store.store(.sample(10), stored, for: .sample())
        let files = try files(in: folder.url)
        #expect(files.count == 4)
        for file in files {
            #expect(!file.lastPathComponent.contains("canary"))
            #expect(try Data(contentsOf: file).range(of: Data("canary".utf8)) == nil)
            #expect(try permissions(file) == 0o600)
        }
        #expect(try permissions(folder.url.appendingPathComponent("responses-1")) == 0o700)
        let other = try TemporaryFolder()
        try await DiskCacheStore(folder: other.url, limit: 1 << 20).store(.sample(10), stored, for: .sample())
        let names = Set(try self.files(in: other.url).map(\.lastPathComponent))
        #expect(names.intersection(files.map(\.lastPathComponent)) == ["salt"])
    }

    @Test(arguments: [10, CacheStoreTests.long])
    func `a changed byte anywhere is nothing stored`(length: Int) async throws {
        let folder = try TemporaryFolder()
        let store = try DiskCacheStore(folder: folder.url, limit: 1 << 20)
        await store.store(.sample(length), .sample(["X": "1"]), for: .sample())
        for file in try files(in: folder.url) where file.lastPathComponent != "salt" {
            let data = try Data(contentsOf: file)
            for place in stride(from: 0, to: data.count, by: max(1, data.count / 40)) {
                var damaged = data
                damaged[place] ^= 1
                try damaged.write(to: file)
                #expect(try store.entries(for: .sample()).allSatisfy { try !$0.body.isIntact() })
                try data.write(to: file)
            }
            for count in stride(from: 0, to: data.count, by: max(1, data.count / 15)) {
                let record = try files(in: folder.url).first { $0.lastPathComponent.hasSuffix(".0") }
                let backup = try record.map { try Data(contentsOf: $0) }
                try data.prefix(count).write(to: file)
                #expect(store.entries(for: .sample()).isEmpty)
                if let record, let backup { try backup.write(to: record) }
                try data.write(to: file)
            }
        }
        #expect(store.entries(for: .sample()).count == 1)
    }

    @Test func `an entry under the name of another is nothing stored`() async throws {
        let folder = try TemporaryFolder()
        let store = try DiskCacheStore(folder: folder.url, limit: 1 << 20)
        await store.store(.sample(10), .sample([:]), for: .sample("/a"))
        await store.store(.sample(10), .sample([:]), for: .sample("/b"))
        let names = try files(in: folder.url).filter { $0.lastPathComponent != "salt" }
        try FileManager.default.removeItem(at: names[0])
        try FileManager.default.copyItem(at: names[1], to: names[0])
        #expect(await store.count([.sample("/a"), .sample("/b")]) == 1)
    }

    @Test func `a folder with many files is trimmed in the background, and keeps what was used last`() async throws {
        let folder = try TemporaryFolder()
        let subfolder = folder.url.appendingPathComponent("responses-1")
        let first = try DiskCacheStore(folder: folder.url, limit: 1 << 20)
        await first.store(.sample(10), .sample([:]), for: .sample("/a"))
        let longAgo = Date(timeIntervalSince1970: 0)
        for number in 0..<3_000 {
            let record = subfolder.appendingPathComponent("\(number).0")
            try Data(count: 1_000).write(to: record)
            try FileManager.default.setAttributes([.modificationDate: longAgo], ofItemAtPath: record.path)
        }
        let store = try DiskCacheStore(folder: folder.url, limit: 1 << 20)
        await store.store(.sample(10), .sample([:]), for: .sample("/b"))
        store.waitForTrimming()
        #expect(store.size <= 1 << 20)
        #expect(await store.count([.sample("/a"), .sample("/b")]) == 2)
    }

    @Test func `leftovers of a crash are removed, and files of a running writer are not`() async throws {
        let folder = try TemporaryFolder()
        let store = try DiskCacheStore(folder: folder.url, limit: 1 << 20)
        await store.store(.sample(long), .sample([:]), for: .sample("/a"))
        let used = try files(in: folder.url)
        let body = try #require(used.first { $0.lastPathComponent.contains("-") })
        let subfolder = folder.url.appendingPathComponent("responses-1")
        let record = body.lastPathComponent.prefix { $0 != "-" }
        for name in ["tmp-0", "\(record)-0", "0123.0-1"] {
            try Data("left".utf8).write(to: subfolder.appendingPathComponent(name))
        }
        let writer = store.writer(for: .sample("/b"))
        _ = await writer.write(.sample(long))
        let again = try DiskCacheStore(folder: folder.url, limit: 1 << 20)
        await again.store(.sample(1), .sample([:]), for: .sample("/c"))
        let names = Set(try files(in: folder.url).map(\.lastPathComponent))
        #expect(names.isDisjoint(with: ["tmp-0", "\(record)-0", "0123.0-1"]))
        #expect(names.isSuperset(of: used.map(\.lastPathComponent)))
        #expect(await writer.commit(.sample([:])))
        #expect(await again.count([.sample("/a"), .sample("/b"), .sample("/c")]) == 3)
    }

    @Test func `the least recently used response on disk is removed first`() async throws {
        let folder = try TemporaryFolder()
        let store = try DiskCacheStore(folder: folder.url, limit: 400_000)
        for name in ["/a", "/b", "/c"] { await store.store(.sample(long), .sample([:]), for: .sample(name)) }
        // The file system's timestamps are coarse.
        for (index, file) in try files(in: folder.url).enumerated() {
            let time = Date.sample(Double(index))
            try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: file.path)
        }
        _ = store.entries(for: .sample("/b"))
        await store.store(.sample(long), .sample([:]), for: .sample("/d"))
        await store.store(.sample(long), .sample([:]), for: .sample("/e"))
        #expect(await store.count([.sample("/b")]) == 1)
        #expect(await store.count([.sample("/a"), .sample("/c")]) < 2)
    }

    @Test func `a damaged salt makes an empty store`() async throws {
        let folder = try TemporaryFolder()
        let store = try DiskCacheStore(folder: folder.url, limit: 1 << 20)
        await store.store(.sample(10), .sample([:]), for: .sample())
        try Data("salt".utf8).write(to: folder.url.appendingPathComponent("responses-1/salt"))
        let again = try DiskCacheStore(folder: folder.url, limit: 1 << 20)
        #expect(again.entries(for: .sample()).isEmpty)
        #expect(await again.store(.sample(10), .sample([:]), for: .sample()))
        #expect(again.entries(for: .sample()).count == 1)
    }

    @Test func `a folder that cannot be created is an error`() throws {
        let folder = try TemporaryFolder(["file": ""])
        #expect(throws: (any Error).self) {
            try DiskCacheStore(folder: folder.url.appendingPathComponent("file"), limit: 1)
        }
    }

    @Test(arguments: [10, CacheStoreTests.long])
    func `a folder that disappears is an empty store, and is made again`(length: Int) async throws {
        let folder = try TemporaryFolder()
        let store = try DiskCacheStore(folder: folder.url, limit: 1 << 20)
        await store.store(.sample(length), .sample([:]), for: .sample())
        try FileManager.default.removeItem(at: folder.url)
        #expect(store.entries(for: .sample()).isEmpty)
        store.removeAll()
        #expect(await store.store(.sample(length), .sample([:]), for: .sample()))
        let subfolder = folder.url.appendingPathComponent("responses-1")
        #expect(try permissions(subfolder) == 0o700)
        let other = try DiskCacheStore(folder: folder.url, limit: 1 << 20)
        #expect(store.entries(for: .sample()).count == 1 && other.entries(for: .sample()).count == 1)
    }
}

/// A store on a 1 MiB disk.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled("needs unshare and the right to mount a file system") { try await SmallDisk.isPossible() }
)
struct FullDiskTests {
    @Test func `on a full disk old responses make room for new ones`() async throws {
        guard let folder = SmallDisk.folder else {
            let failure = try await SmallDisk.failure(of: "FullDiskTests")
            return #expect(failure == nil, "\(failure ?? "")")
        }
        let store = try DiskCacheStore(folder: folder, limit: 1 << 30)
        var stored: [Bool] = []
        for number in 0..<40 {
            stored.append(await store.store(.sample(100_000), .sample([:]), for: .sample("/\(number)")))
            store.waitForTrimming()
        }
        #expect(stored.prefix(8).allSatisfy(\.self) && stored.contains(false))
        // A failed response makes room for the next one.
        #expect(!zip(stored, stored.dropFirst()).contains { !$0 && !$1 })
    }
}
