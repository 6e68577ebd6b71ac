import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Tests the handle for a request in progress.
@Suite(.timeLimit(.minutes(5))) struct RequestHandleTests {
    /// Reports progress from a stream and responds when the stream ends.
    private struct Reporting: Transport {
        let reports: AsyncStream<Int64>

        func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
            for await completed in reports {
                context.progress?(TransferProgress(direction: .receiving, completed: completed, total: 100))
            }
            try Task.checkCancellation()
            return .sample("7")
        }
    }

    @Test func `the value can be awaited any number of times and is fetched once`() async throws {
        let mock = MockTransport(.json("7"))
        let handle = NetworkProvider<API>(mock).start(.plain, as: Int.self)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await handle.value } }
            for try await value in group { #expect(value == 7) }
        }
        #expect(try await handle.value == 7)
        #expect(try await handle.result.get() == 7)
        #expect(mock.requests.count == 1)
    }

    @Test func `a failure is the same at every await`() async {
        let handle = NetworkProvider<API>(MockTransport(.status(404))).start(.plain, as: Int.self)
        let first = await #expect(throws: NetworkError.self) { try await handle.value }
        let second = await #expect(throws: NetworkError.self) { try await handle.value }
        #expect(first?.statusName == .notFound && first == second)
    }

    @Test func `a request continues after its handle is released`() async {
        let sent = AsyncStream.makeStream(of: Void.self)
        let mock = MockTransport(
            .handler { _ in
                sent.continuation.finish()
                return .status(200)
            }
        )
        _ = NetworkProvider<API>(mock).start(.plain, as: EmptyBody.self)
        for await _ in sent.stream {}
        #expect(mock.requests.count == 1)
    }

    @Test func `its Progress cancels a request after the handle is released`() async {
        let provider = NetworkProvider<API>(MockTransport(.hang))
        let progress = provider.start(.plain, as: Int.self).makeProgress()
        #expect(provider.engine.started.count == 1)
        progress.cancel()
        // Foundation can call the handler on another thread.
        for _ in 0..<100_000 where provider.engine.started.count > 0 { await Task.yield() }
        #expect(provider.engine.started.count == 0)
    }

    @Test func `progress is reported live, late readers get the latest, and it ends with the request`()
        async
        throws
    {
        let (reports, source) = AsyncStream.makeStream(of: Int64.self)
        let handle = NetworkProvider<API>(Reporting(reports: reports)).start(.plain, as: Int.self)
        source.yield(10)
        for await progress in handle.progress {
            #expect(progress.completed == 10 && progress.fraction == 0.1)
            break
        }
        source.yield(20)
        var seen: [Int64] = []
        for await progress in handle.progress {
            seen.append(progress.completed)
            if progress.completed == 20 { source.finish() }
        }
        #expect(seen.last == 20 && seen == seen.sorted())
        #expect(try await handle.value == 7)
        let after = await handle.progress.reduce(into: []) { $0.append($1.completed) }
        #expect(after == [20])
    }

    @Test func `canceling ends value and progress, and a second cancel() has no effect`() async {
        let handle = NetworkProvider<API>(MockTransport(.hang)).start(.plain, as: Int.self)
        #expect(!handle.isCancelled)
        handle.cancel()
        handle.cancel()
        #expect(handle.isCancelled)
        let error = await #expect(throws: NetworkError.self) { try await handle.value }
        #expect(error?.kind == .cancelled)
        for await _ in handle.progress {}
    }

    @Test func `canceling a task that waits cancels the request`() async {
        let handle = NetworkProvider<API>(MockTransport(.hang)).start(.plain, as: Int.self)
        let task = Task { try await handle.value }
        task.cancel()
        _ = await task.result
        #expect(handle.isCancelled)
    }

    @Test func `canceling after the end changes nothing`() async throws {
        let handle = NetworkProvider<API>(MockTransport(.json("7"))).start(.plain, as: Int.self)
        _ = try await handle.value
        handle.cancel()
        #expect(!handle.isCancelled)
        #expect(try await handle.value == 7)
    }

    @Test func `a list of requests and mocks is canceled with one call`() async {
        let provider = NetworkProvider<API>(MockTransport(MockAnswer.hang.repeating()))
        let called = provider.data(.plain, queue: .global()) { _ in }
        let requests: [any NetworkRequest] = [
            provider.start(.plain, as: Int.self), provider.startDownload(.plain), called, MockNetworkRequest(),
        ]
        requests.cancel()
        #expect(requests.allSatisfy { $0.isCancelled })
        Set(["a"]).map { _ in MockNetworkRequest() as any NetworkRequest }.cancel()
    }

    @Test func `a response comes with its value`() async throws {
        let mock = MockTransport(.json("[1]", status: 201, headers: ["ETag": "x"]))
        let response = try await NetworkProvider<API>(mock).response(.plain, as: [Int].self)
        #expect(response.value == [1] && response.statusCode == 201 && response.headers["etag"] == "x")
        #expect(response.response.request.url.absoluteString == "http://api.test/v1/things")
    }
}
