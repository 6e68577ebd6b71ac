import Dispatch
import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// A client's text, uploads and downloads with callbacks and handles, as with a provider.
@Suite(.timeLimit(.minutes(5))) struct ClientTransferTests {
    private struct User: Codable, Equatable, Sendable { var id: Int }

    private let mock = MockTransport(.json(#"{"id": 7}"#).repeating())
    private let parts: [MultipartFormData] = [.text("Ada", name: "name")]

    private func result<Value: Sendable>(
        _ start: (@escaping @Sendable (Result<Value, NetworkError>) -> Void) -> any NetworkRequest
    ) async -> Result<Value, NetworkError> {
        await withCheckedContinuation { waiter in _ = start { waiter.resume(returning: $0) } }
    }

    @Test func `text is decoded with its charset in every calling style`() async throws {
        let latin = MockAnswer.data(Data([0xE9]), type: "text/plain; charset=iso-8859-1").repeating()
        let client = HTTPClient(MockTransport(latin))
        #expect(try await client.string(.get("/")) == "é")
        let main: Result<String, NetworkError> = await result { client.string(.get("/"), completion: $0) }
        let queue: Result<String, NetworkError> = await result {
            client.string(.get("/"), queue: .global(), completion: $0)
        }
        #expect(try main.get() == "é" && queue.get() == "é")
    }

    @Test func `an upload can be started with a handle`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.txt", "hello")
        let client = HTTPClient(mock)
        #expect(try await client.startUpload(.post("/").multipart(parts), as: User.self).value == User(id: 7))
        #expect(mock.requests.last?.headers["Content-Type"]?.hasPrefix("multipart/form-data; boundary=") == true)
        let handle: RequestHandle<User> = client.startUpload(.put("/").file(file))
        #expect(try await handle.value == User(id: 7) && mock.requests.last?.body.data == Data("hello".utf8))
        let hanging = HTTPClient(MockTransport(.hang)).startUpload(.put("/").file(file), as: User.self)
        hanging.cancel()
        #expect(await hanging.result.error?.kind == .cancelled)
    }

    @Test func `an upload can deliver its value to a callback`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.txt", "hello")
        let client = HTTPClient(mock)
        let results: [Result<User, NetworkError>] = [
            await result { client.upload(.post("/").multipart(parts), completion: $0) },
            await result { client.upload(.post("/").multipart(parts), queue: .global(), completion: $0) },
            await result { client.upload(.post("/").file(file), completion: $0) },
            await result { client.upload(.post("/").file(file), queue: .global(), completion: $0) },
        ]
        #expect(try results.map { try $0.get().id } == [7, 7, 7, 7] && mock.requests.count == 4)
    }

    @Test func `a download can deliver its file to a callback`() async throws {
        let folder = try TemporaryFolder()
        let target = folder.url.appendingPathComponent("user.json")
        let client = HTTPClient(mock)
        let first = await result { client.download(.get("/"), to: .file(at: target), completion: $0) }
        #expect(try first.get() == target)
        #expect(try Data(contentsOf: target) == Data(#"{"id": 7}"#.utf8))
        let second = await result { client.download(.get("/"), queue: .global(), completion: $0) }
        try FileManager.default.removeItem(at: try second.get())
    }

    @Test @MainActor func `a canceled callback of a transfer receives the cancellation`() async {
        let client = HTTPClient(MockTransport(MockAnswer.hang.repeating()))
        let upload: NetworkError? = await withCheckedContinuation { waiter in
            client.upload(.post("/").multipart(parts), as: User.self) { waiter.resume(returning: $0.error) }.cancel()
        }
        let download: NetworkError? = await withCheckedContinuation { waiter in
            client.download(.get("/")) { waiter.resume(returning: $0.error) }.cancel()
        }
        #expect(upload?.kind == .cancelled && download?.kind == .cancelled)
    }

    @Test func `the progress of a started upload counts the bytes that are sent`() async throws {
        let server = try LoopbackServer { _ in .json(#"{"id": 7}"#) }
        let folder = try TemporaryFolder()
        let file = try folder.file("a.txt", String(repeating: "x", count: 100_000))
        let handle = HTTPClient(baseURL: server.url).startUpload(.post("/").file(file), as: User.self)
        var last: TransferProgress?
        for await report in handle.progress { last = report }
        #expect(try await handle.value == User(id: 7))
        #expect(last?.direction == .sending && last?.completed == 100_000)
    }
}
