import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache
@testable import NetworkEngineTesting

/// An app's own store, which uses only the public protocol.
@Suite(.timeLimit(.minutes(5))) struct CustomStoreTests {
    /// Stores heads as bytes, like a database.
    private final class ListStore: CacheStore {
        struct Row: Sendable {
            let key: CacheKey
            var head: Data
            let body: [Data]
            let token: String

            var entry: CacheEntry? {
                StoredResponse(encoded: head).map {
                    CacheEntry(key: key, response: $0, body: CacheBody(body), token: token)
                }
            }
        }

        let rows = Locked<[Row]>([])

        func entries(for key: CacheKey) async -> [CacheEntry] {
            rows.withLock { $0.filter { $0.key == key }.compactMap(\.entry) }
        }

        func writer(for key: CacheKey) async -> any CacheWriter { Writer(key: key, rows: rows) }

        func update(_ entry: CacheEntry) async {
            rows.withLock { rows in
                guard let index = rows.firstIndex(where: { $0.token == entry.token }) else { return }
                rows[index].head = entry.response.encoded
            }
        }

        func remove(_ key: CacheKey) async { rows.withLock { $0.removeAll { $0.key == key } } }

        func removeAll(from origin: String) async { rows.withLock { $0.removeAll { $0.key.origin == origin } } }

        func removeAll() async { rows.withLock { $0 = [] } }

        private final class Writer: CacheWriter {
            let key: CacheKey
            let rows: Locked<[Row]>
            let body = Locked<[Data]>([])

            init(key: CacheKey, rows: Locked<[Row]>) {
                self.key = key
                self.rows = rows
            }

            func write(_ piece: Data) async -> Bool {
                body.withLock { $0.append(piece) }
                return true
            }

            func commit(_ response: StoredResponse) async -> Bool {
                var response = response
                let body = body.withLock { $0 }
                response.bodyLength = body.reduce(0) { $0 + Int64($1.count) }
                let row = Row(key: key, head: response.encoded, body: body, token: UUID().uuidString)
                rows.withLock { [response] rows in
                    rows.removeAll { $0.key == row.key && $0.entry?.response.replaces(response) != false }
                    rows.append(row)
                }
                return true
            }
        }
    }

    @Test func `a store of an app is used, updated and emptied`() async throws {
        let store = ListStore()
        let headers: HTTPHeaders = ["Cache-Control": "max-age=0", "ETag": "\"1\""]
        let confirmation: HTTPHeaders = ["Cache-Control": "max-age=86400", "ETag": "\"1\""]
        let mock = MockTransport(.text("a", headers: headers), .status(304, headers: confirmation), .status(204))
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.cache) = (mock, ResponseCache(store: store))
        let client = HTTPClient(baseURL: try "https://a.test".url, configuration: configuration)
        var sources: [HTTPResponse.Source] = []
        for _ in 0..<3 {
            let response = try await client.send(.get("/a"))
            #expect(response.data == Data("a".utf8))
            sources.append(response.source)
        }
        #expect(sources == [.network, .revalidated, .cache])
        _ = try await client.send(.delete("/a"))
        #expect(store.rows.withLock { $0.isEmpty })
    }

    /// Returns what it contained when it was called. The second call returns only on command.
    private final class SlowStore: CacheStore {
        let rows = MemoryCacheStore(limit: 1 << 20)
        let readings = Locked(0)
        let hasRead = OneShot<Void>()
        let mayReturn = OneShot<Void>()

        func entries(for key: CacheKey) async -> [CacheEntry] {
            let entries = rows.entries(for: key)
            let reading = readings.withLock { readings in
                readings += 1
                return readings
            }
            if reading == 2 {
                hasRead.settle(())
                try? await mayReturn.wait()
            }
            return entries
        }

        func writer(for key: CacheKey) async -> any CacheWriter { rows.writer(for: key) }
        func update(_ entry: CacheEntry) async { rows.update(entry) }
        func remove(_ key: CacheKey) async { rows.remove(key) }
        func removeAll(from origin: String) async { rows.removeAll(from: origin) }
        func removeAll() async { rows.removeAll() }
    }

    @Test func `a response that was validated while it was read is not validated again`() async throws {
        let store = SlowStore()
        let confirmation: HTTPHeaders = ["Cache-Control": "max-age=86400", "ETag": "\"1\""]
        let stale: HTTPHeaders = ["Cache-Control": "max-age=0", "ETag": "\"1\""]
        let mock = MockTransport(.text("a", headers: stale), .status(304, headers: confirmation))
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.cache) = (mock, ResponseCache(store: store))
        let client = HTTPClient(baseURL: try "https://a.test".url, configuration: configuration)
        _ = try await client.send(.get("/a"))
        async let slow = client.send(.get("/a"))
        try await store.hasRead.wait()
        #expect(try await client.send(.get("/a")).source == .revalidated)
        store.mayReturn.settle(())
        #expect(try await slow.source == .cache)
        #expect(mock.requests.count == 2)
    }

    @Test func `a stale response that was replaced while it was read is not validated in the background`() async throws
    {
        let store = SlowStore()
        let stale: HTTPHeaders = ["Cache-Control": "max-age=0, stale-while-revalidate=86400"]
        let mock = MockTransport(
            .text("old", headers: stale), .text("new", headers: ["Cache-Control": "max-age=86400"]), .status(500))
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.cache) = (mock, ResponseCache(store: store))
        let client = HTTPClient(baseURL: try "https://a.test".url, configuration: configuration)
        _ = try await client.send(.get("/a"))
        async let slow = client.send(.get("/a"))
        try await store.hasRead.wait()
        while try await client.send(.get("/a")).text == "old" { await Task.yield() }
        let readings = store.readings.withLock { $0 }
        store.mayReturn.settle(())
        #expect(try await slow.text == "old")
        while store.readings.withLock({ $0 }) == readings, mock.requests.count == 2 { await Task.yield() }
        #expect(mock.requests.count == 2)
    }

    @Test func `a head is read from its own bytes only`() {
        let head = StoredResponse.sample(["A": "b", "Vary": "C"], part: StoredResponse.Part(bounds: 0..<10, total: 20))
        #expect(StoredResponse(encoded: head.encoded) == head)
        #expect(StoredResponse(encoded: head.encoded + [0]) == nil)
        #expect(StoredResponse(encoded: head.encoded.dropLast()) == nil)
    }
}
