import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineStreams
@testable import NetworkEngineTesting

/// Calls through the protocol: data sources, their mocks, and the app's errors.
@Suite(.timeLimit(.minutes(5))) struct NetworkCallingTests {
    private struct User: Codable, Equatable, Sendable { var id = 7 }

    private enum AppError: Error, Equatable {
        case known(NetworkErrorKind)
        case broken
    }

    /// An app's data source.
    private struct Users {
        let calls: any NetworkCalling<Endpoint, AppError>

        func user() async throws(AppError) -> User { try await calls.request(.get("/users/7")) }
        func nobody() async throws(AppError) -> User? { try await calls.request(.get("/nobody")) }
    }

    /// A mock with only what the protocol requires.
    private struct Mock: NetworkCalling {
        var status = 200

        func run<Value: Sendable>(
            _ endpoint: Endpoint, _ decoding: ResponseDecoding<Value>, settings: CallSettings
        ) async throws(AppError) -> Value {
            let body = Data((status == 200 ? #"{"id": 7}"# : "").utf8)
            let request = HTTPRequest(url: API.base)
            let response = HTTPResponse(statusCode: status, body: .data(body), request: request)
            do { return try decoding.value(of: response) } catch { throw .broken }
        }

        func failure(for error: NetworkError) -> AppError { .known(error.kind) }
    }

    /// A mock with calls that never end on their own.
    private struct Hanging: NetworkCalling {
        func run<Value: Sendable>(
            _ endpoint: Endpoint, _ decoding: ResponseDecoding<Value>, settings: CallSettings
        ) async throws(AppError) -> Value {
            try? await OneShot<Void>().wait()
            throw .broken
        }

        func failure(for error: NetworkError) -> AppError { .known(error.kind) }
    }

    /// A mock that fails every call.
    private struct Failing: NetworkCalling {
        func run<Value: Sendable>(
            _ endpoint: Endpoint, _ decoding: ResponseDecoding<Value>, settings: CallSettings
        ) async throws(AppError) -> Value {
            throw .broken
        }

        func failure(for error: NetworkError) -> AppError { .known(error.kind) }
    }

    private func client(_ answers: MockAnswer...) -> HTTPClient {
        let mock = MockTransport()
        mock.on().answers(answers)
        return HTTPClient(mock)
    }

    private func mapped(_ client: HTTPClient) -> any NetworkCalling<Endpoint, AppError> {
        client.mapErrors { AppError.known($0.kind) }
    }

    @Test func `a call that names no type returns the bytes of the body`() async throws {
        let answer = MockAnswer.json(#"{"id": 7}"#).repeating()
        let (provider, client) = (NetworkProvider<TestTarget>(MockTransport(answer)), HTTPClient(MockTransport(answer)))
        let target = TestTarget(method: .post, task: .requestData(Data("x".utf8)))
        let (endpoint, users) = (Endpoint.get("/users/7"), mapped(client))
        let requested = [
            try await provider.request(target), try await client.request(endpoint), try await users.request(endpoint),
            try await client.request(endpoint.json(User())), try await client.request(endpoint.json(User())),
        ]
        let uploaded = [
            try await provider.upload(target), try await client.upload(.post("/users").json(User())),
            try await client.upload(.post("/users").multipart([.text("Ada", name: "name")])),
        ]
        #expect((requested + uploaded).allSatisfy { $0 == Data(#"{"id": 7}"#.utf8) })
        #expect(try await Mock().request(endpoint) == Data(#"{"id": 7}"#.utf8))
    }

    @Test func `a call that names no type accepts a response without a body`() async throws {
        let client = client(.status(204), .status(200), .status(204), .status(404))
        #expect(try await client.request(.get("/")).isEmpty)
        try await client.request(.get("/"))
        let optional: Data? = try await client.request(.get("/"))
        #expect(optional == nil)
        let error = await #expect(throws: NetworkError.self) { try await client.request(.get("/")) }
        #expect(error?.statusName == .notFound)
    }

    @Test func `a data source takes a client with mapped errors or a mock with one method`() async throws {
        let live = Users(calls: mapped(client(.json(#"{"id": 7}"#), .status(204), .status(404))))
        #expect(try await live.user() == User())
        #expect(try await live.nobody() == nil)
        await #expect(throws: AppError.known(.status)) { try await live.user() }
        #expect(try await Users(calls: Mock()).user() == User())
        #expect(try await Users(calls: Mock(status: 204)).nobody() == nil)
        await #expect(throws: AppError.broken) { try await Users(calls: Mock(status: 204)).user() }
    }

    @Test func `a mock with one method has every way to call`() async throws {
        let mock = Mock()
        let endpoint = Endpoint.get("/users/7")
        try await mock.request(endpoint)
        #expect(try await mock.data(endpoint) == Data(#"{"id": 7}"#.utf8))
        #expect(try await mock.string(endpoint) == #"{"id": 7}"#)
        #expect(try await mock.response(endpoint, as: User.self).value == User())
        #expect(try await mock.send(endpoint).statusCode == 200)
        #expect(try await mock.request(TypedEndpoint<User>(endpoint)) == User())
        #expect(try await mock.upload(endpoint, as: User.self) == User())
        #expect(try await mock.start(endpoint, as: User.self).value == User())
        let text = await withCheckedContinuation { waiter in
            mock.string(endpoint, queue: .global()) { waiter.resume(returning: $0) }
        }
        #expect(text == .success(#"{"id": 7}"#))
        var bytes = Data()
        for try await chunk in try await mock.stream(endpoint) { bytes += chunk }
        #expect(bytes == Data(#"{"id": 7}"#.utf8))
        var pages = mock.pages(of: User.self, from: endpoint, next: { _ in nil }).makeAsyncIterator()
        #expect(try await pages.next() == User())
        #expect(try await pages.next() == nil)
    }

    @Test func `a canceled handle of a mock has the error for a cancellation, and a waiting task ends`() async {
        let handle = Hanging().start(.get("/"), as: User.self)
        handle.cancel()
        #expect(await handle.result == .failure(.known(.cancelled)) && handle.isCancelled)
        let waiting = Task { await Hanging().start(.get("/"), as: User.self).result }
        waiting.cancel()
        #expect(await waiting.value == .failure(.known(.cancelled)))
    }

    @Test(arguments: [true, false]) @MainActor
    func `a callback receives the cancellation once cancel has returned`(isMock: Bool) async {
        let calls: any NetworkCalling<Endpoint, AppError> = isMock ? Mock() : mapped(client(.json(#"{"id": 7}"#)))
        let results = Locked<[Result<User, AppError>]>([])
        await withCheckedContinuation { waiter in
            let request = calls.request(.get("/"), as: User.self) { result in
                results.withLock { $0.append(result) }
                waiter.resume()
            }
            // The callback needs the main actor, which this function doesn't leave.
            request.cancel()
        }
        #expect(results.withLock { $0 } == [.failure(.known(.cancelled))])
    }

    @Test func `mapped errors can be mapped again`() async {
        struct Text: Error, Equatable { var text: String }
        let known = client(.status(404)).mapErrors { AppError.known($0.kind) }
        let calls = known.mapErrors { Text(text: $0 == .known(.status) ? "status" : "") }
        await #expect(throws: Text(text: "status")) { try await calls.send(.get("/")) }
    }

    @Test func `events with mapped errors reconnect, and throw the mapped error at their end`() async throws {
        let clock = TestClock()
        let mock = MockTransport(clock: clock)
        let events = MockAnswer.data(Data("id: 1\ndata: a\n\n".utf8), type: "text/event-stream")
        mock.on().answers(.failure(.connect), events, .status(404))
        let calls = HTTPClient(mock) { $0.clock = clock }.mapErrors { AppError.known($0.kind) }
        let read = Task {
            var texts: [String] = []
            do throws(AppError) {
                for try await event in calls.events(.get("/")) { texts.append(event.data) }
            } catch {
                #expect(error == .known(.status))
            }
            return texts
        }
        for _ in 1...2 { _ = await clock.advanceToNextSleeper() }
        #expect(await read.value == ["a"])
        #expect(mock.requests.map { $0.headers["Last-Event-ID"] } == [nil, nil, "1"])
    }

    @Test func `events of a mock client with mapped errors read its answers, and end with the last one`() async {
        let clock = TestClock()
        let mock = HTTPClientMock(.value(Data("data: a\n\n".utf8)), .status(404), clock: clock)
        let calls = mock.mapErrors { AppError.known($0.kind) }
        let read = Task {
            var texts: [String] = []
            do throws(AppError) {
                for try await event in calls.events(.get("/")) { texts.append(event.data) }
            } catch {
                #expect(error == .known(.status))
            }
            return texts
        }
        _ = await clock.advanceToNextSleeper()
        #expect(await read.value == ["a"])
        #expect(mock.endpoints.count == 2)
    }

    @Test func `events of a mock throw its own error unchanged`() async {
        await #expect(throws: AppError.broken) {
            for try await _ in Failing().events(.get("/"), as: User.self) {}
        }
    }

    @Test func `pages of targets with mapped errors end at a page that was requested before`() async throws {
        let mock = MockTransport(MockAnswer.json("[7]").repeating())
        let calls = NetworkProvider<TestTarget>(mock).mapErrors { AppError.known($0.kind) }
        var pages = calls.pages(of: [Int].self, from: TestTarget(), next: { _ in TestTarget() }).makeAsyncIterator()
        #expect(try await pages.next() == [7])
        await #expect(throws: AppError.known(.invalidResponse)) { try await pages.next() }
        #expect(mock.requests.count == 1)
    }
}
