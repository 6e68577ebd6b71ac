import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineStreams
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Every way to call a provider throws the app's errors.
@Suite(.timeLimit(.minutes(5))) struct MappedProviderTests {
    private struct User: Codable, Equatable, Sendable { var id: Int }
    private typealias Users = MappedCalls<TestTarget, NetworkError, APIError>

    private func users(_ answers: MockAnswer...) -> Users {
        let mock = MockTransport()
        mock.on().answers(answers)
        return NetworkProvider<TestTarget>(mock).mapErrors(with: APIErrorMapper())
    }

    private var gone: Users { users(.status(404).repeating()) }
    private let upload = TestTarget(method: .post, task: .requestData(Data("x".utf8)))

    @Test func `awaited calls throw the mapped error`() async {
        let users = gone
        let target = TestTarget()
        await #expect(throws: APIError.notFound) { try await users.string(target) }
        await #expect(throws: APIError.notFound) { try await users.response(target, as: User.self) }
        await #expect(throws: APIError.notFound) { try await users.request(target, decoding: .string) }
        await #expect(throws: APIError.notFound) { let _: User = try await users.upload(upload) }
        await #expect(throws: APIError.notFound) { try await users.upload(upload) }
        await #expect(throws: APIError.notFound) { try await users.download(target) }
        await #expect(throws: APIError.notFound) { try await users.send(target) }
        await #expect(throws: APIError.notFound) { _ = try await users.stream(target) }
    }

    @Test func `awaited calls return what those of the provider return`() async throws {
        let users = users(MockAnswer.json(#"{"id": 7}"#).repeating())
        let target = TestTarget()
        let text = try await users.string(target)
        let whole = try await users.response(target, as: User.self)
        let decoded: Int = try await users.request(target, decoding: .json(at: "id"))
        let uploaded: User = try await users.upload(upload)
        #expect(text == #"{"id": 7}"# && whole.value == User(id: 7) && decoded == 7 && uploaded == User(id: 7))
        let file = try await users.download(target)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try Data(contentsOf: file) == Data(#"{"id": 7}"#.utf8))
    }

    @Test func `a request that cannot be built and a list that is wrong throw the mapped error`() async {
        let wrong = NetworkProvider<TestTarget>(interceptors: [RetryPolicy(), RetryPolicy()])
        let users = wrong.mapErrors(with: APIErrorMapper())
        await #expect(throws: APIError.invalidRequest) { try await users.send(TestTarget()) }
        await #expect(throws: APIError.invalidRequest) {
            try await gone.send(TestTarget(baseURL: URL(fileURLWithPath: "/")))
        }
    }

    @Test func `handles throw the mapped error`() async {
        let request = gone.start(TestTarget(), as: User.self)
        await #expect(throws: APIError.notFound) { try await request.value }
        let download = gone.startDownload(TestTarget())
        let outcome = await download.result
        #expect(outcome.error == .notFound)
    }

    @Test func `handles cancel and report their state`() async {
        let users = users(.hang, .hang)
        let request = users.start(TestTarget(), as: User.self)
        #expect(!request.isCancelled)
        request.cancel()
        #expect(request.isCancelled)
        await #expect(throws: APIError.cancelled) { try await request.value }
        let download = users.startDownload(TestTarget())
        download.pause()
        #expect(download.isPaused)
        download.resume()
        #expect(!download.isPaused)
        let data = await download.cancelProducingResumeData()
        #expect(data == nil && download.isCancelled)
        #expect(await download.result.error == .cancelled)
        #expect(download.makeProgress().isPausable && request.makeProgress().isCancellable)
    }

    @Test func `callbacks receive the mapped error`() async {
        let users = gone
        let target = TestTarget()
        #expect(await outcome { users.data(target, completion: $0) } == .notFound)
        #expect(await outcome { users.string(target, completion: $0) } == .notFound)
        #expect(await outcome { users.upload(upload, as: User.self, completion: $0) } == .notFound)
        #expect(await outcome { users.download(target, completion: $0) } == .notFound)
        #expect(await onQueue { users.data(target, queue: .global(), completion: $0) } == .notFound)
        #expect(await onQueue { users.string(target, queue: .global(), completion: $0) } == .notFound)
        #expect(await onQueue { users.upload(upload, as: User.self, queue: .global(), completion: $0) } == .notFound)
        #expect(await onQueue { users.download(target, queue: .global(), completion: $0) } == .notFound)
    }

    private func outcome<Value: Sendable>(
        _ start: (@escaping @MainActor @Sendable (Result<Value, APIError>) -> Void) -> any NetworkRequest
    ) async -> APIError? {
        await withCheckedContinuation { waiter in _ = start { waiter.resume(returning: $0.error) } }
    }

    private func onQueue<Value: Sendable>(
        _ start: (@escaping @Sendable (Result<Value, APIError>) -> Void) -> any NetworkRequest
    ) async -> APIError? {
        await withCheckedContinuation { waiter in _ = start { waiter.resume(returning: $0.error) } }
    }
}

/// A provider's sequences throw the app's errors.
@Suite(.timeLimit(.minutes(5))) struct MappedSequenceTests {
    private struct Price: Codable, Equatable, Sendable { var cents: Int }

    private func prices(_ answers: [MockAnswer]) -> any NetworkCalling<TestTarget, APIError> {
        let mock = MockTransport()
        mock.on().answers(answers)
        return NetworkProvider<TestTarget>(mock) { $0.clock = TestClock() }.mapErrors(with: APIErrorMapper())
    }

    private func events(_ text: String) -> MockAnswer {
        .status(200, headers: ["Content-Type": "text/event-stream"], body: text)
    }

    @Test func `events throw the mapped error in a typed loop`() async {
        func read(_ events: MappedSequence<ServerSentEvents, APIError>, _ count: Int) async throws(APIError) -> [String]
        {
            var texts: [String] = []
            for try await event in events {
                texts.append(event.data)
                if texts.count == count { break }
            }
            return texts
        }
        let received = try? await read(prices([events("data: a\n\ndata: b\n\n")]).events(TestTarget()), 2)
        #expect(received == ["a", "b"])
        let closed = try? await read(prices([.status(204)]).events(TestTarget()), 2)
        #expect(closed == [])
        await #expect(throws: APIError.notFound) { try await read(prices([.status(404)]).events(TestTarget()), 2) }
    }

    @Test func `decoded events throw the mapped error and continue with the next event`() async throws {
        let text = "data: no JSON\n\ndata: {\"cents\": 7}\n\n"
        var prices = prices([events(text)]).events(TestTarget(), as: Price.self).makeAsyncIterator()
        do throws(APIError) {
            _ = try await prices.next()
            Issue.record("decoded what is no JSON")
        } catch {
            #expect(error == .decodingFailed(description: "the body is not valid JSON"))
        }
        let next = try await prices.next()
        #expect(next == Price(cents: 7))
    }

    @Test func `the options of the events are options of the mapped events`() {
        var events = prices([]).events(TestTarget(), as: Price.self)
        events.name = "price"
        events.events.idleTimeout = .seconds(30)
        #expect(events.base.name == "price" && events.base.events.idleTimeout == .seconds(30))
    }

    @Test func `a stream throws the mapped error in its body, by bytes, lines and documents`() async throws {
        let answer = MockAnswer.handler { _ in .status(200, headers: ["X-A": "1"], body: "{\"cents\": 7}\n12345678\n") }
        let prices = prices([answer.repeating()])
        let stream = try await prices.stream(TestTarget())
        #expect(stream.statusCode == 200 && stream.headers["X-A"] == "1")
        var bytes = Data()
        for try await chunk in stream { bytes += chunk }
        #expect(bytes.count == 22)
        var lines = try await prices.stream(TestTarget()).lines(limit: 4).makeAsyncIterator()
        await #expect(throws: APIError.invalidResponse) { try await lines.next() }
        var values = try await prices.stream(TestTarget()).jsonLines(as: Price.self).makeAsyncIterator()
        let first = try await values.next()
        #expect(first == Price(cents: 7))
        await #expect(throws: APIError.decodingFailed(description: "not a Dictionary<String, Any> at the top level")) {
            try await values.next()
        }
    }
}
