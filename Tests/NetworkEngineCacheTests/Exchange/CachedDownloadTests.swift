import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache
@testable import NetworkEngineCookies
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

/// Downloads from a cache: interceptors for exchanges don't act if no exchange takes place.
@Suite(.timeLimit(.minutes(5))) struct CachedDownloadTests {
    private func client(
        _ mock: MockTransport,
        _ interceptors: [any RequestInterceptor] = [],
        in folder: URL,
        _ change: (inout NetworkConfiguration) -> Void = { _ in }
    ) throws -> HTTPClient {
        HTTPClient(mock, interceptors, base: try "https://a.test".url) { configuration in
            configuration.cache = ResponseCache()
            configuration.temporaryFolder = folder
            change(&configuration)
        }
    }

    @Test func `a download holds no permit while another request validates its response`() async throws {
        let folder = try TemporaryFolder()
        let (arrived, released) = (OneShot<Void>(), OneShot<Void>())
        let mock = MockTransport()
        mock.on(.get, "/slow").answers(
            .handler { _ in
                arrived.settle(())
                try await released.wait()
                return .status(200)
            })
        let headers: HTTPHeaders = ["Cache-Control": "no-cache", "ETag": "\"1\""]
        mock.on(.get, "/a").answers(.text("a", headers: headers), .status(304, headers: headers).repeating())
        let limit = ConcurrencyLimit(total: 1)
        let client = try client(mock, [limit], in: folder.url) { $0.timeout = .seconds(20) }
        _ = try await client.send(.get("/a"))
        let slow = Task { try await client.send(.get("/slow")) }
        try await arrived.wait()
        let download = Task { try await client.download(.get("/a"), to: .temporary) }
        while limit.waitingCount == 0 { await Task.yield() }
        let call = Task { try await client.send(.get("/a")).text }
        while limit.waitingCount < 2 { await Task.yield() }
        released.settle(())
        _ = try await slow.value
        #expect(try await call.value == "a")
        #expect(try String(contentsOf: try await download.value, encoding: .utf8) == "a")
    }

    @Test func `a download keeps its permit until its file is complete`() async throws {
        let folder = try TemporaryFolder()
        let (begun, released) = (OneShot<Void>(), OneShot<Void>())
        let mock = MockTransport()
        mock.on(.get, "/file").answers(
            MockAnswer(exchange: { request, _ in
                let isOver = Locked(false)
                let stream = BodyStream(length: 3, isReplayable: false) {
                    BodyStream.Reading {
                        if isOver.withLock({ $0 }) { return nil }
                        begun.settle(())
                        try await released.wait()
                        isOver.withLock { $0 = true }
                        return Data("abc".utf8)
                    }
                }
                return HTTPResponse(statusCode: 200, body: .stream(stream), request: request)
            }))
        mock.on(.get, "/b").answers(.status(200))
        let limit = ConcurrencyLimit(total: 1)
        let client = try client(mock, [limit], in: folder.url)
        let download = Task { try await client.download(.get("/file"), to: .temporary) }
        try await begun.wait()
        let call = Task { try await client.send(.get("/b")) }
        while limit.waitingCount == 0 { await Task.yield() }
        released.settle(())
        #expect(try String(contentsOf: try await download.value, encoding: .utf8) == "abc")
        _ = try await call.value
    }

    @Test func `a download that breaks off does not end with the stored version`() async throws {
        let folder = try TemporaryFolder()
        let headers: HTTPHeaders = ["Cache-Control": "max-age=0", "ETag": "\"1\""]
        let broken = MockAnswer(exchange: { request, _ in
            let stream = BodyStream(length: 3, isReplayable: false) {
                BodyStream.Reading { throw NetworkError(.lostMidBody, reason: "lost") }
            }
            return HTTPResponse(statusCode: 200, body: .stream(stream), request: request)
        })
        let mock = MockTransport(.text("old", headers: headers), broken, .text("new"))
        let client = try client(mock, [RetryPolicy(backoff: .constant(.zero))], in: folder.url)
        _ = try await client.send(.get("/a"))
        let file = try await client.download(.get("/a"), to: .temporary)
        #expect(try String(contentsOf: file, encoding: .utf8) == "new")
        #expect(mock.requests.count == 3)
    }

    @Test func `a file that cannot be read to its end is not stored`() async throws {
        let folder = try TemporaryFolder()
        let missing = folder.url.appendingPathComponent("missing")
        let mock = MockTransport(
            MockAnswer(exchange: { request, _ in
                HTTPResponse(
                    statusCode: 200, headers: ["Cache-Control": "max-age=600"], body: .file(missing), request: request)
            }).repeating())
        let client = try client(mock, in: folder.url)
        for _ in 0..<2 { _ = try? await client.send(.get("/a")) }
        #expect(mock.requests.count == 2)
    }

    @Test func `a download that is answered from the cache sets no cookie`() async throws {
        let folder = try TemporaryFolder()
        let jar = CookieJar()
        let mock = MockTransport(
            .text("a", headers: ["Cache-Control": "max-age=600", "Set-Cookie": "sid=1; Path=/"]))
        let client = try client(mock, in: folder.url) { $0.cookies = jar }
        _ = try await client.send(.get("/a"))
        jar.removeAll()
        let file = try await client.download(.get("/a"), to: .temporary)
        #expect(try String(contentsOf: file, encoding: .utf8) == "a" && mock.requests.count == 1)
        #expect(jar.cookies(for: try "https://a.test/".url).isEmpty)
    }

    @Test func `a download whose body breaks off keeps the cookies of its head`() async throws {
        let folder = try TemporaryFolder()
        let jar = CookieJar()
        let mock = MockTransport(
            MockAnswer(exchange: { request, _ in
                let stream = BodyStream(length: 3, isReplayable: false) {
                    BodyStream.Reading { throw NetworkError(.lostMidBody, reason: "lost") }
                }
                return HTTPResponse(
                    statusCode: 200, headers: ["Set-Cookie": "sid=1; Path=/"], body: .stream(stream), request: request)
            }))
        let client = try client(mock, in: folder.url) { $0.cookies = jar }
        let error = await #expect(throws: NetworkError.self) { try await client.download(.get("/a"), to: .temporary) }
        #expect(error?.transportFailure == .lostMidBody)
        #expect(jar.cookies(for: try "https://a.test/".url).map(\.value) == ["1"])
    }

    @Test func `a download is stored, and its file comes from the cache`() async throws {
        let folder = try TemporaryFolder()
        let store = try DiskCacheStore(folder: folder.url.appendingPathComponent("cache"), limit: 1 << 20)
        let mock = MockTransport(.text("a", headers: ["Cache-Control": "max-age=600"]))
        let client = try client(mock, in: folder.url) { $0.cache = ResponseCache(store: store) }
        for _ in 0..<2 {
            let file = try await client.download(.get("/a"), to: .temporary)
            #expect(try String(contentsOf: file, encoding: .utf8) == "a")
            try FileManager.default.removeItem(at: file)
        }
        #expect(mock.requests.count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["cache"])
    }
}
