import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Observers of a transport's session.
@Suite(.timeLimit(.minutes(5))) struct SessionObserverTests {
    @Test func `an observer gets the response, the data and the completion, in order`() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let inspector = Inspector()
        try await withTransport(inspector) { _ = try await $0.send(server.request()) }
        #expect(await inspector.calls(of: 1) == ["responded 200", "received 5", "completed nil"])
    }

    @Test func `an observer gets the completion of a failed exchange`() async throws {
        let server = try LoopbackServer { _ in .fault(.reset) }
        let inspector = Inspector()
        try await withTransport(inspector) { transport in
            _ = await #expect(throws: NetworkError.self) { try await transport.send(server.request()) }
        }
        #expect(await inspector.calls(of: 1) == ["completed failure"])
    }

    @Test func `an observer gets the completion of a cancelled exchange`() async throws {
        let barrier = LoopbackBarrier()
        let server = try LoopbackServer { _ in .text("late").held(by: barrier) }
        let inspector = Inspector()
        try await withTransport(inspector) { transport in
            let call = Task { try await transport.send(server.request()) }
            try await server.wait { $0.requestCount == 1 }
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
            #expect(await inspector.calls(of: 1) == ["completed failure"])
        }
        barrier.open()
    }

    @Test func `an observer counts the bytes that were sent`() async throws {
        let server = try LoopbackServer { _ in .status(204) }
        let inspector = Inspector()
        let body = RequestBody.data(Data(repeating: 7, count: 100_000))
        try await withTransport(inspector) { _ = try await $0.send(server.request(method: .post, body: body)) }
        let calls = await inspector.calls(of: 1)
        #expect(calls.contains("sent 100000"))
        #expect(calls.last == "completed nil")
    }

    @Test func `answers of an observer are ignored`() async throws {
        let server = try LoopbackServer { _ in .text("whole") }
        let inspector = Inspector(disposition: .cancel)
        let response = try await withTransport(inspector) { try await $0.send(server.request()) }
        #expect(response.text == "whole")
    }

    @Test func `an observer that never returns does not delay a request`() async throws {
        let server = try LoopbackServer { _ in .text("quick") }
        let inspector = Inspector(blocking: true)
        try await withTransport(inspector) { transport in
            for _ in 0..<50 {
                let response = try await transport.send(server.request())
                #expect(response.text == "quick")
            }
        }
        #expect(server.record.requestCount == 50)
        inspector.release()
    }

    @Test func `an observer gets each of many exchanges once`() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let inspector = Inspector()
        try await withTransport(inspector) { transport in
            await withTaskGroup { group in
                for _ in 0..<100 { group.addTask { _ = try? await transport.send(server.request()) } }
            }
        }
        let calls = await inspector.calls(of: 100)
        #expect(calls.count { $0 == "responded 200" } == 100)
        #expect(calls.count { $0.hasPrefix("completed") } == 100)
    }

    @Test func `an observer of tasks alone gets completions`() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let collector = Collector()
        let transport = URLSessionTransport(configuration: .ephemeral, observer: collector)
        defer { transport.shutdown() }
        _ = try await transport.send(server.request())
        var completions = collector.completions.makeAsyncIterator()
        #expect(await completions.next() == 200)
    }

    private func withTransport<Value>(
        _ inspector: Inspector,
        _ body: (URLSessionTransport) async throws -> Value
    ) async throws -> Value {
        let session = URLSession(configuration: .ephemeral, delegate: inspector, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let transport = URLSessionTransport(session: session, observer: inspector)
        defer { transport.shutdown() }
        try transport.validate()
        return try await body(transport)
    }
}

/// An inspector's delegate, which records its calls.
private final class Inspector: NSObject, URLSessionDataDelegate {
    private let calls: AsyncStream<String>
    private let feed: AsyncStream<String>.Continuation
    private let disposition: URLSession.ResponseDisposition
    private let gate = DispatchSemaphore(value: 0)
    private let isBlocking: Bool

    init(disposition: URLSession.ResponseDisposition = .allow, blocking isBlocking: Bool = false) {
        (calls, feed) = AsyncStream.makeStream()
        self.disposition = disposition
        self.isBlocking = isBlocking
    }

    /// The calls until a number of tasks have completed.
    func calls(of tasks: Int) async -> [String] {
        var texts: [String] = []
        for await call in calls {
            texts.append(call)
            if texts.count(where: { $0.hasPrefix("completed") }) == tasks { break }
        }
        return texts
    }

    func release() { gate.signal() }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if isBlocking {
            gate.wait()
            gate.signal()
        }
        feed.yield("responded \((response as? HTTPURLResponse)?.statusCode ?? 0)")
        completionHandler(disposition)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        feed.yield("received \(data.count)")
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        feed.yield("sent \(totalBytesSent)")
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        feed.yield("completed \(error == nil ? "nil" : "failure")")
    }
}

/// Collects the ends of tasks, and no data.
private final class Collector: NSObject, URLSessionTaskDelegate {
    let completions: AsyncStream<Int>
    private let feed: AsyncStream<Int>.Continuation

    override init() { (completions, feed) = AsyncStream.makeStream() }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        feed.yield((task.response as? HTTPURLResponse)?.statusCode ?? 0)
    }
}
