import Foundation
import NetworkEngineMocks
import NetworkEngineUploads
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Uploads without sockets: mocks, pauses on a test clock, failure limits.
@Suite(.timeLimit(.minutes(10))) struct UploadEngineTests {
    private let clock = TestClock()

    private func options(_ change: (inout ResumableUploadOptions) -> Void = { _ in }) -> ResumableUploadOptions {
        var options = ResumableUploadOptions()
        (options.clock, options.random) = (clock, { 1 })
        change(&options)
        return options
    }

    private static let created = MockAnswer.status(201, headers: ["Location": "/v1/f/1", "Tus-Resumable": "1.0.0"])
    private static let endpoint = Endpoint.post("/files").body(.data(Data("content".utf8)))

    private func located(_ offset: Int) -> MockAnswer {
        .status(200, headers: ["Upload-Offset": "\(offset)", "Tus-Resumable": "1.0.0"])
    }

    private func done(_ offset: Int) -> MockAnswer { .status(204, headers: ["Upload-Offset": "\(offset)"]) }

    @Test(arguments: LoopbackUpload.Dialect.all)
    func `a mock transport answers as a server of uploads`(dialect: LoopbackUpload.Dialect) async throws {
        let folder = try TemporaryFolder()
        let uploads = LoopbackUploads(dialect, at: "/v1/files", folder: folder.url)
        let client = HTTPClient(MockTransport(uploads.answer))
        try await client.upload(Self.endpoint, resuming: UploadStateStore.inMemory().store, options: dialect.options)
        let upload = try #require(uploads.all.first)
        #expect(try Data(contentsOf: upload.file) == Data("content".utf8) && upload.isComplete)
    }

    @Test(arguments: [ClientAnswer.response(.json(#"{"length": 7}"#)), .value(Stored(length: 7))])
    func `a mock client answers the whole call`(answer: ClientAnswer) async throws {
        for isMapped in [false, true] {
            let mock = HTTPClientMock(answer, answer)
            let (store, state) = UploadStateStore.inMemory()
            let stored: Stored =
                isMapped
                ? try await mock.mapErrors { $0 }.upload(Self.endpoint, resuming: store)
                : try await mock.upload(Self.endpoint, resuming: store)
            #expect(stored == Stored(length: 7) && state.withLock { $0 } == nil)
            let end = try await mock.upload(Self.endpoint, resuming: store)
            #expect(end.response?.statusCode == 200 && mock.endpoints.count == 2)
        }
    }

    @Test func `observers see one call with an exchange for each request`() async throws {
        let log = EventLog()
        let client = HTTPClient(MockTransport(Self.created, .status(503), located(3), done(7))) { $0.observers = [log] }
        try await client.upload(
            Self.endpoint, resuming: UploadStateStore.inMemory().store,
            options: options { $0.backoff = .constant(.zero) })
        #expect(log.faults.isEmpty && log.outcomes == [nil])
    }

    @Test func `failures in a row lead to longer pauses, and to the error after the last`() async throws {
        let lost = MockAnswer.failure(.lostBeforeResponse)
        let mock = MockTransport(Self.created, lost, lost, lost, lost)
        let (store, state) = UploadStateStore.inMemory()
        let client = HTTPClient(mock)
        let options = options { $0.failureLimit = 3 }
        let call = Task { try await client.upload(Self.endpoint, resuming: store, options: options) }
        for pause in [Duration.milliseconds(500), .seconds(1), .seconds(2)] {
            await clock.untilSleeping()
            #expect(await clock.advanceToNextSleeper() == pause)
        }
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.transportFailure == .lostBeforeResponse)
        #expect(mock.requests.map(\.method) == [.post, .patch, .head, .head, .head])
        #expect(state.withLock { $0?.offset } == 0)
    }

    @Test func `bytes that the server confirms begin the count of failures again`() async throws {
        let lost = MockAnswer.failure(.lostBeforeResponse)
        let mock = MockTransport(
            Self.created, lost, located(1), lost, located(2), lost, located(3), lost, located(4), done(7))
        let client = HTTPClient(mock)
        let options = options {
            $0.failureLimit = 1
            $0.backoff = .constant(.zero)
        }
        try await client.upload(Self.endpoint, resuming: UploadStateStore.inMemory().store, options: options)
        let bodies = mock.requests.filter { $0.method == .patch }.map {
            String(decoding: $0.body.data ?? Data(), as: UTF8.self)
        }
        #expect(bodies == ["content", "ontent", "ntent", "tent", "ent"])
    }

    @Test func `a server that asks for a pause gets it, up to the cap`() async throws {
        let busy = MockAnswer.status(503, headers: ["Retry-After": "20"])
        let client = HTTPClient(MockTransport(Self.created, busy, located(0), done(7)))
        let options = options { $0.backoff = .exponential(base: .milliseconds(1), cap: .seconds(5)) }
        let call = Task {
            try await client.upload(Self.endpoint, resuming: UploadStateStore.inMemory().store, options: options)
        }
        await clock.untilSleeping()
        #expect(await clock.advanceToNextSleeper() == .seconds(5))
        _ = try await call.value
    }

    @Test func `canceling a pause ends the call, and keeps the state`() async throws {
        let client = HTTPClient(MockTransport(Self.created, .failure(.lostBeforeResponse)))
        let (store, state) = UploadStateStore.inMemory()
        let options = options()
        let call = Task { try await client.upload(Self.endpoint, resuming: store, options: options) }
        await clock.untilSleeping()
        call.cancel()
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.kind == .cancelled && state.withLock { $0 } != nil)
    }

    // MARK: The beginning

    private static let losses: [MockAnswer] = [
        .failure(.lostBeforeResponse), .failure(.connect), .status(503), .status(500), .status(429),
    ]

    @Test(arguments: losses) func `a request that begins an upload is repeated, because it carries no content`(
        loss: MockAnswer
    ) async throws {
        let mock = MockTransport(loss, loss, Self.created, done(7))
        let options = options { ($0.backoff, $0.failureLimit) = (.constant(.zero), 2) }
        try await HTTPClient(mock).upload(
            Self.endpoint, resuming: UploadStateStore.inMemory().store, options: options)
        #expect(mock.requests.map(\.method) == [.post, .post, .post, .patch])
        #expect(mock.requests.prefix(3).allSatisfy { $0.body.data?.isEmpty == true })
    }

    @Test(arguments: losses) func `a request that begins an upload is repeated within the limit`(loss: MockAnswer)
        async throws
    {
        for limit in 0...2 {
            let mock = MockTransport(loss.repeating())
            let options = options { ($0.backoff, $0.failureLimit) = (.constant(.zero), limit) }
            await #expect(throws: NetworkError.self) {
                try await HTTPClient(mock).upload(
                    Self.endpoint, resuming: UploadStateStore.inMemory().store, options: options)
            }
            #expect(mock.requests.count == limit + 1)
        }
    }

    @Test(arguments: [MockAnswer.status(400), .status(403), .status(409), .status(423), .failure(.protocolViolation)])
    func `a refusal of the request that begins an upload ends the call`(refusal: MockAnswer) async throws {
        let mock = MockTransport(refusal)
        await #expect(throws: NetworkError.self) {
            try await HTTPClient(mock).upload(
                Self.endpoint, resuming: UploadStateStore.inMemory().store,
                options: options { $0.backoff = .constant(.zero) })
        }
        #expect(mock.requests.count == 1)
    }

    /// For a tus server, an empty upload is complete when it starts.
    @Test(arguments: [
        (ResumableUploadOptions.UploadProtocol.tus, MockAnswer.failure(.lostBeforeResponse), 1),
        (.tus, .failure(.connect), 2), (.automatic, .failure(.lostBeforeResponse), 1),
        (.draft(version: 6), .failure(.lostBeforeResponse), 2),
    ])
    func `an upload that is complete when it begins is not begun twice`(
        spoken: ResumableUploadOptions.UploadProtocol,
        loss: MockAnswer,
        count: Int
    ) async throws {
        let mock = MockTransport(loss, .status(403))
        let error = await #expect(throws: NetworkError.self) {
            try await HTTPClient(mock).upload(
                .post("/files").body(.data(Data())), resuming: UploadStateStore.inMemory().store,
                options: options { ($0.backoff, $0.uploadProtocol) = (.constant(.zero), spoken) })
        }
        #expect(mock.requests.count == count && (error?.statusCode == 403) == (count == 2))
    }

    @Test(arguments: [ResumableUploadOptions.UploadProtocol.automatic, .draft(version: 3), .draft(version: 6)])
    func `a server of the draft may answer with the address alone`(
        spoken: ResumableUploadOptions.UploadProtocol
    ) async throws {
        let isOld = spoken == .draft(version: 3)
        let field = isOld ? "Upload-Incomplete" : "Upload-Complete"
        let mock = MockTransport(
            .status(201, headers: ["Location": "/v1/f/1"]), .failure(.lostBeforeResponse),
            .status(204, headers: ["Upload-Offset": "0", field: isOld ? "?1" : "?0"]),
            .status(200, headers: [field: isOld ? "?0" : "?1"]))
        let options = options { ($0.backoff, $0.uploadProtocol) = (.constant(.zero), spoken) }
        try await HTTPClient(mock).upload(
            Self.endpoint, resuming: UploadStateStore.inMemory().store, options: options)
        #expect(mock.requests.map(\.method) == [.post, .head, .head, .patch])
        #expect(mock.requests.last?.body.data == Data("content".utf8))
    }

    @Test(arguments: [
        (MockAnswer.status(200), UploadFailure.notSupported), (.status(404), .notSupported),
        (.status(405), .notSupported),
        (.status(204, headers: ["Upload-Offset": "3", "Upload-Complete": "?0"]), .contradictoryRecord),
    ])
    func `what a server creates that resumes no uploads gets no content, and no state`(
        answer: MockAnswer,
        failure: UploadFailure
    ) async throws {
        let mock = MockTransport(.status(201, headers: ["Location": "/v1/films/1"]), answer)
        let (store, state) = UploadStateStore.inMemory()
        let error = await #expect(throws: NetworkError.self) {
            try await HTTPClient(mock).upload(Self.endpoint, resuming: store, options: options())
        }
        #expect(error?.underlying as? UploadFailure == failure && state.withLock { $0 } == nil)
        #expect(mock.requests.map(\.method) == [.post, .head])
    }

    @Test func `the rules of a target hold for the last response alone`() async throws {
        struct Film: TargetType {
            var baseURL: URL { API.base }
            var path: String { "/files" }
            var method: HTTPMethod { .post }
            var task: NetworkTask { .requestData(Data("content".utf8)) }
            var validation: ResponseValidation { .statusCodes([202]) }
        }
        let created = MockAnswer.status(
            201, headers: ["Location": "/v1/f/1", "Upload-Draft-Interop-Version": "6", "Upload-Complete": "?0"])
        let end = MockAnswer.json(#"{"length": 7}"#, status: 202, headers: ["Upload-Complete": "?1"])
        let provider = NetworkProvider<Film>(MockTransport(created, end))
        let stored: Stored = try await provider.upload(
            Film(), resuming: UploadStateStore.inMemory().store, options: options())
        #expect(stored == Stored(length: 7))
        let strict = NetworkProvider<Film>(MockTransport(created, .json(#"{"length": 7}"#, status: 200)))
        let error = await #expect(throws: NetworkError.self) {
            try await strict.upload(Film(), resuming: UploadStateStore.inMemory().store, options: options())
        }
        #expect(error?.statusCode == 200)
    }

    @Test func `the errors of the app are thrown`() async throws {
        struct AppError: Error { let kind: NetworkError.Kind }
        let client = HTTPClient(MockTransport(.status(403))).mapErrors { AppError(kind: $0.kind) }
        let error = await #expect(throws: AppError.self) {
            try await client.upload(Self.endpoint, resuming: UploadStateStore.inMemory().store)
        }
        #expect(error?.kind == .status)
    }

    @Test func `a deadline holds for each request, and the upload continues`() async throws {
        let mock = MockTransport(Self.created, .hang, located(3), done(7))
        let client = HTTPClient(mock) { [clock] in
            $0.clock = clock
            $0.deadline = .seconds(30)
        }
        let options = options { $0.backoff = .constant(.zero) }
        let call = Task {
            try await client.upload(Self.endpoint, resuming: UploadStateStore.inMemory().store, options: options)
        }
        while mock.requests.count < 2 { await Task.yield() }
        clock.advance(by: .seconds(30))
        _ = try await call.value
        #expect(mock.requests.last?.headers["Upload-Offset"] == "3")
    }
}
