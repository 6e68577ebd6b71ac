import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(10))) struct CancelAllTests {
    @Test func `all calls that were started end once, and later ones run`() async throws {
        let mock = MockTransport(MockAnswer.hang.repeating(100), .json("7"))
        let client = HTTPClient(mock)
        let copy = client
        let outcomes = Locked<[NetworkError.Kind?]>([])
        let ended = OneShot<Void>()
        let handles = (0..<50).map { _ in client.start(.get("/"), as: Int.self) }
        for _ in 0..<50 {
            copy.request(.get("/"), as: Int.self, queue: .global()) { result in
                let count = outcomes.withLock { outcomes in
                    if case .failure(let error) = result { outcomes.append(error.kind) } else { outcomes.append(nil) }
                    return outcomes.count
                }
                if count == 50 { ended.settle(()) }
            }
        }
        while mock.requests.count < 100 { await Task.yield() }
        client.cancelAll()
        try await ended.wait()
        #expect(outcomes.withLock { $0 } == Array(repeating: .cancelled, count: 50))
        for handle in handles {
            let error = await #expect(throws: NetworkError.self) { try await handle.value }
            #expect(error?.kind == .cancelled)
        }
        #expect(try await client.start(.get("/"), as: Int.self).value == 7)
        client.cancelAll()
    }

    @Test func `downloads and uploads that were started end, and leave no file`() async throws {
        let mock = MockTransport(MockAnswer.hang.repeating(3))
        let client = HTTPClient(mock)
        let folder = try TemporaryFolder()
        let place = folder.url.appendingPathComponent("file")
        let download = client.startDownload(.get("/"), to: .file(at: place))
        let upload = client.start(.post("/").body(Data("x".utf8)), as: Int.self)
        let ended = OneShot<NetworkError.Kind?>()
        client.download(.get("/"), to: .file(at: place), queue: .global()) { result in
            if case .failure(let error) = result { ended.settle(error.kind) } else { ended.settle(nil) }
        }
        while mock.requests.count < 3 { await Task.yield() }
        client.cancelAll()
        let failures = [
            await #expect(throws: NetworkError.self) { try await download.value },
            await #expect(throws: NetworkError.self) { try await upload.value },
        ]
        #expect(failures.map { $0?.kind } == [.cancelled, .cancelled])
        #expect(try await ended.wait() == .cancelled)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func `a call that is awaited goes on`() async throws {
        let released = OneShot<Void>()
        let mock = MockTransport(
            .handler { _ in
                _ = try await released.wait()
                return .json("7")
            })
        let provider = NetworkProvider<API>(mock)
        let call = Task { try await provider.request(.plain, as: Int.self) }
        while mock.requests.isEmpty { await Task.yield() }
        provider.cancelAll()
        released.settle(())
        #expect(try await call.value == 7)
    }

    @Test func `calls that end at any moment leave nothing behind`() async throws {
        let provider = NetworkProvider<API>(MockTransport(MockAnswer.json("7").repeating()))
        for number in 0..<200 {
            let handle = provider.start(.plain, as: Int.self)
            for _ in 0..<number % 7 { await Task.yield() }
            if number % 3 == 0 { provider.cancelAll() }
            _ = try? await handle.value
        }
        #expect(provider.engine.started.count == 0)
    }
}
