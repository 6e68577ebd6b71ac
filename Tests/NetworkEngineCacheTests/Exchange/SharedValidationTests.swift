import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

/// Requests that need the same validation.
@Suite(.timeLimit(.minutes(5))) struct SharedValidationTests {
    private static let headers: HTTPHeaders = ["Cache-Control": "no-cache", "ETag": "\"1\""]

    /// Counts its reads.
    private final class CountingStore: CacheStore {
        let rows = MemoryCacheStore(limit: 1 << 20)
        let readings = Locked(0)

        func entries(for key: CacheKey) async -> [CacheEntry] {
            defer { readings.withLock { $0 += 1 } }
            return rows.entries(for: key)
        }

        func writer(for key: CacheKey) async -> any CacheWriter { rows.writer(for: key) }
        func update(_ entry: CacheEntry) async { rows.update(entry) }
        func remove(_ key: CacheKey) async { rows.remove(key) }
        func removeAll(from origin: String) async { rows.removeAll(from: origin) }
        func removeAll() async { rows.removeAll() }

        func readings(atLeast count: Int) async { while readings.withLock({ $0 }) < count { await Task.yield() } }
    }

    private let store = CountingStore()
    private let validations = Locked(0)
    private let gate = OneShot<Void>()

    /// Answers with a response, and validates it when the gate is open.
    private func client() throws -> HTTPClient {
        let mock = MockTransport(
            MockAnswer.handler { [validations, gate] request in
                guard request.headers.contains("If-None-Match") else { return .text("a", headers: Self.headers) }
                validations.withLock { $0 += 1 }
                try await gate.wait()
                return .status(304, headers: Self.headers)
            }.repeating())
        return HTTPClient(mock, base: try "https://a.test".url) { $0.cache = ResponseCache(store: store) }
    }

    /// Starts a validation, and requests that wait for it.
    private func calls(_ count: Int) async throws
        -> (first: Task<HTTPResponse, any Error>, others: [Task<String, any Error>])
    {
        let client = try client()
        _ = try await client.send(.get("/a"))
        let first = Task { try await client.send(.get("/a")) }
        while validations.withLock({ $0 }) == 0 { await Task.yield() }
        let readings = store.readings.withLock { $0 }
        let others = (0..<count).map { _ in Task { try await client.send(.get("/a")).text } }
        await store.readings(atLeast: readings + count)
        for _ in 0..<100 { await Task.yield() }
        return (first, others)
    }

    @Test func `after a canceled validation one of the requests that wait validates for all`() async throws {
        let (first, others) = try await calls(20)
        first.cancel()
        await #expect(throws: NetworkError.self) { try await first.value }
        while validations.withLock({ $0 }) < 2 { await Task.yield() }
        gate.settle(())
        for call in others { #expect(try await call.value == "a") }
        #expect(validations.withLock { $0 } == 2)
    }

    @Test func `requests that came during a validation share the next one`() async throws {
        let (first, others) = try await calls(20)
        gate.settle(())
        #expect(try await first.value.source == .revalidated)
        for call in others { #expect(try await call.value == "a") }
        #expect(validations.withLock { $0 } == 2)
    }

    @Test func `a hedge does not wait for the validation of its own call`() async throws {
        let cache = ResponseCache()
        let validations = Locked(0)
        let mock = MockTransport(
            MockAnswer.handler { request in
                guard request.headers.contains("If-None-Match") else { return .text("a", headers: Self.headers) }
                let isFirst = validations.withLock { validations in
                    validations += 1
                    return validations == 1
                }
                return isFirst ? .hang : .status(304, headers: Self.headers)
            }.repeating())
        let base = try "https://a.test".url
        _ = try await HTTPClient(mock, base: base) { $0.cache = cache }.send(.get("/a"))
        let client = HTTPClient(mock, [Hedging(after: .milliseconds(1), extraLoad: 1)], base: base) {
            ($0.cache, $0.timeout) = (cache, .seconds(3600))
        }
        #expect(try await client.send(.get("/a")).source == .revalidated)
        #expect(validations.withLock { $0 } == 2)
    }
}
