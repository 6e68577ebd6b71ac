import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache

/// The behavior of every store.
@Suite(.timeLimit(.minutes(5))) struct CacheStoreTests {
    enum Kind: CaseIterable { case memory, disk }

    /// On disk, a body of this length has a separate file.
    static let long = 100_000

    private func withStore(_ kind: Kind, limit: Int = 10 << 20, _ body: (any CacheStore) async throws -> Void)
        async throws
    {
        let folder = try TemporaryFolder()
        switch kind {
        case .memory: try await body(MemoryCacheStore(limit: limit))
        case .disk: try await body(DiskCacheStore(folder: folder.url, limit: limit))
        }
    }

    @Test(arguments: Kind.allCases, [0, 1, 32 << 10, (32 << 10) + 1, long])
    func `a response and its body come back`(kind: Kind, length: Int) async throws {
        try await withStore(kind) { store in
            let stored = StoredResponse.sample(
                ["ETag": "\"a\"", "X": "ä"], variant: .init(names: ["a"], values: "1", identity: "2"))
            let data = Data.sample(length)
            #expect(await store.store(data, stored, for: .sample()))
            let entries = await store.entries(for: .sample())
            let entry = try #require(entries.first)
            #expect(entries.count == 1)
            #expect(entry.response.headers == stored.headers && entry.response.variant == stored.variant)
            #expect(entry.response.bodyLength == Int64(length) && entry.response.responseTime == .sample())
            #expect(try entry.body.isIntact())
            #expect(try entry.body.bytes(0..<Int64(length)) == data)
            var streamed = Data()
            for try await piece in entry.body.stream(0..<Int64(length)) { streamed += piece }
            #expect(streamed == data)
        }
    }

    @Test(arguments: Kind.allCases) func `a part of a body is read`(kind: Kind) async throws {
        try await withStore(kind) { store in
            let data = Data.sample(Self.long)
            await store.store(data, .sample([:]), for: .sample())
            let entry = try #require(await store.entries(for: .sample()).first)
            let ranges: [Range<Int64>] = [0..<1, 99_999..<100_000, 16_000..<70_000, 5..<5, 99_000..<200_000]
            for range in ranges {
                var streamed = Data()
                for try await piece in entry.body.stream(range) { streamed += piece }
                let expected = data[Int(range.lowerBound)..<min(Int(range.upperBound), data.count)]
                #expect(streamed == expected)
                #expect(try entry.body.bytes(range) == expected)
            }
        }
    }

    @Test(arguments: Kind.allCases) func `a writer without a commit stores nothing`(kind: Kind) async throws {
        try await withStore(kind) { store in
            let writer = await store.writer(for: .sample())
            _ = await writer.write(.sample(Self.long))
            #expect(await store.entries(for: .sample()).isEmpty)
            #expect(await store.writer(for: .sample()).commit(.sample([:])))
            #expect(await store.entries(for: .sample()).first?.body.length == 0)
        }
    }

    @Test(arguments: Kind.allCases, [10, long])
    func `a new response replaces the one of the same variant`(kind: Kind, length: Int) async throws {
        try await withStore(kind) { store in
            let other = Variant(names: ["a"], values: "1", identity: "")
            await store.store(.sample(5), .sample(["X": "0"], variant: other), for: .sample())
            await store.store(.sample(length), .sample(["X": "1"]), for: .sample())
            let old = try #require(await store.entries(for: .sample()).first { $0.response.headers["X"] == "1" })
            await store.store(.sample(7), .sample(["X": "2"]), for: .sample())
            let entries = await store.entries(for: .sample())
            #expect(Set(entries.compactMap { $0.response.headers["X"] }) == ["0", "2"])
            // A reader of the old response isn't affected.
            #expect(try old.body.bytes(0..<Int64(length)) == .sample(length))
        }
    }

    @Test(arguments: Kind.allCases, [10, long]) func `an update keeps the body`(kind: Kind, length: Int) async throws {
        try await withStore(kind) { store in
            await store.store(.sample(length), .sample(["X": "1"]), for: .sample())
            var entry = try #require(await store.entries(for: .sample()).first)
            entry.response.headers["X"] = "2"
            await store.update(entry)
            let updated = try #require(await store.entries(for: .sample()).first)
            #expect(updated.response.headers["X"] == "2")
            #expect(try updated.body.isIntact() && updated.body.bytes(0..<Int64(length)) == .sample(length))
        }
    }

    @Test(arguments: Kind.allCases, [0.0, 2.0])
    func `an update does not put its head over a body that was stored after its request`(kind: Kind, arrival: Double)
        async throws
    {
        try await withStore(kind) { store in
            await store.store(.sample(10), .sample(["ETag": "\"1\"", "X": "1"]), for: .sample())
            var entry = try #require(await store.entries(for: .sample()).first)
            (entry.response.requestTime, entry.response.responseTime) = (.sample(1), .sample(4))
            // For a slow body, the head may have arrived before the request. Its validator shows that.
            let tag = arrival < 1 ? "\"2\"" : "\"1\""
            let new = StoredResponse.sample(["ETag": tag, "X": "2"], requestTime: arrival, responseTime: arrival)
            await store.store(.sample(10), new, for: .sample())
            await store.update(entry)
            #expect(await store.entries(for: .sample()).map { $0.response.headers["X"] } == ["2"])
        }
    }

    @Test(arguments: Kind.allCases) func `an update of a removed entry does not bring it back`(kind: Kind) async throws
    {
        try await withStore(kind) { store in
            await store.store(.sample(5), .sample([:]), for: .sample())
            let entry = try #require(await store.entries(for: .sample()).first)
            await store.remove(.sample())
            await store.update(entry)
            #expect(await store.entries(for: .sample()).isEmpty)
        }
    }

    @Test(arguments: Kind.allCases, [5, long])
    func `responses are removed by address, by origin and all`(kind: Kind, length: Int) async throws {
        try await withStore(kind) { store in
            let keys: [CacheKey] = [
                .sample("/a"), .sample("/b"), .sample("/a", "other.com"), .sample("/b", "other.com"),
            ]
            for key in keys { await store.store(.sample(length), .sample([:]), for: key) }
            await store.remove(keys[0])
            #expect(await store.count(keys) == 3)
            await store.removeAll(from: "https://other.com")
            #expect(await store.count(keys) == 1)
            await store.removeAll()
            #expect(await store.count(keys) == 0)
            await store.store(.sample(length), .sample([:]), for: keys[0])
            #expect(await store.count(keys) == 1)
        }
    }

    @Test(arguments: Kind.allCases) func `a body that exceeds the limit is not stored`(kind: Kind) async throws {
        try await withStore(kind, limit: 50_000) { store in
            let writer = await store.writer(for: .sample())
            var isAccepted = true
            for _ in 0..<10 { isAccepted = await writer.write(.sample(10_000)) }
            #expect(!isAccepted)
            #expect(!(await writer.commit(.sample([:]))))
            #expect(await store.entries(for: .sample()).isEmpty)
        }
    }

    @Test(arguments: Kind.allCases) func `a part with another length than its range is not stored`(kind: Kind)
        async throws
    {
        try await withStore(kind) { store in
            let part = StoredResponse.Part(bounds: 5..<10, total: 20)
            #expect(!(await store.store(.sample(4), .sample([:], status: 206, part: part), for: .sample())))
            #expect(await store.store(.sample(5), .sample([:], status: 206, part: part), for: .sample()))
            #expect(await store.entries(for: .sample()).first?.response.part == part)
        }
    }

    @Test(arguments: Kind.allCases) func `the number of variants of an address is bounded`(kind: Kind) async throws {
        try await withStore(kind) { store in
            for number in 0..<100 {
                let variant = Variant(names: ["a"], values: "\(number)", identity: "")
                await store.store(
                    .sample(1), .sample([:], variant: variant, responseTime: Double(number)), for: .sample())
            }
            let entries = await store.entries(for: .sample())
            #expect((16...64).contains(entries.count))
            #expect(entries.contains { $0.response.variant.values == "99" })
        }
    }

    @Test(arguments: Kind.allCases) func `the size stays below the limit`(kind: Kind) async throws {
        try await withStore(kind, limit: 400_000) { store in
            for number in 0..<100 {
                await store.store(.sample(number % 2 == 0 ? 20_000 : 40_000), .sample([:]), for: .sample("/\(number)"))
                let size = (store as? MemoryCacheStore).map { Int64($0.size) } ?? (store as? DiskCacheStore)?.size ?? 0
                #expect(size <= 400_000 && (number < 5 || size > 100_000))
            }
        }
    }

    @Test func `responses that arrive in memory at the same time share the limit`() async {
        let store = MemoryCacheStore(limit: 10_000)
        await store.store(.sample(4_000), .sample([:]), for: .sample("/old"))
        var writers = (0..<3).map { store.writer(for: .sample("/\($0)")) }
        for writer in writers.prefix(2) { #expect(await writer.write(.sample(4_000))) }
        #expect(store.entries(for: .sample("/old")).isEmpty && store.size == 0)
        #expect(!(await writers[2].write(.sample(4_000))))
        #expect(!(await writers[2].commit(.sample([:]))))
        #expect(await writers[0].commit(.sample([:])))
        writers = []
        // A released writer's space is free.
        let writer = store.writer(for: .sample("/last"))
        #expect(await writer.write(.sample(5_000)))
        #expect(await writer.commit(.sample([:])))
        #expect(store.entries(for: .sample("/0")).count == 1 && store.entries(for: .sample("/last")).count == 1)
    }

    @Test func `the least recently used response in memory is removed first`() async {
        let store = MemoryCacheStore(limit: 4000)
        for name in ["/a", "/b", "/c"] { await store.store(.sample(1000), .sample([:]), for: .sample(name)) }
        for _ in 0..<1000 { _ = store.entries(for: .sample("/a")) }
        await store.store(.sample(1000), .sample([:]), for: .sample("/d"))
        #expect(store.entries(for: .sample("/b")).isEmpty)
        #expect(await store.count([.sample("/a"), .sample("/c"), .sample("/d")]) == 3)
    }

    @Test func `many tiny pieces are joined`() {
        var pieces = PieceList()
        for number in 0..<40_000 { pieces.append(Data([UInt8(number % 251)])) }
        pieces.append(Data())
        #expect(pieces.count == 40_000 && pieces.list.count == 3)
        #expect(Data(pieces.list.joined()) == Data((0..<40_000).map { UInt8($0 % 251) }))
    }

    @Test(
        arguments: [
            ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
        ] as [(String, UInt64)])
    func `the checksum is XXH64`(text: String, expected: UInt64) {
        #expect(Checksum.of(text.utf8) == expected)
    }

    @Test func `the checksum does not depend on the pieces`() {
        let data = Data.sample(1000)
        for step in [1, 7, 31, 32, 33, 64, 999] {
            var checksum = Checksum()
            for start in stride(from: 0, to: data.count, by: step) {
                data[start..<min(start + step, data.count)].withUnsafeBytes { checksum.update($0) }
            }
            #expect(checksum.value == Checksum.of(data))
        }
    }
}

extension CacheKey {
    static func sample(_ path: String = "/a", _ host: String = "example.com") -> CacheKey {
        CacheKey(HTTPRequest.cached([:], "https://\(host)\(path)").url)
    }
}

extension CacheStore {
    @discardableResult
    func store(_ data: Data, _ response: StoredResponse, for key: CacheKey) async -> Bool {
        let writer = await writer(for: key)
        for start in stride(from: 0, to: data.count, by: 10_000) {
            guard await writer.write(data[start..<Swift.min(start + 10_000, data.count)]) else { return false }
        }
        return await writer.commit(response)
    }

    func count(_ keys: [CacheKey]) async -> Int {
        var count = 0
        for key in keys { count += await entries(for: key).count }
        return count
    }
}
