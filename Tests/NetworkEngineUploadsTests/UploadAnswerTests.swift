import Foundation
import NetworkEngineMocks
import NetworkEngineUploads
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// A server's possible responses to the steps of an upload, and their effect on the state.
@Suite(.timeLimit(.minutes(10))) struct UploadAnswerTests {
    private let created = MockAnswer.status(201, headers: ["Location": "/v1/f/1", "Tus-Resumable": "1.0.0"])
    private let endpoint = Endpoint.post("/files").body(.data(Data("content".utf8)))

    private func located(_ offset: Int) -> MockAnswer {
        .status(200, headers: ["Upload-Offset": "\(offset)", "Tus-Resumable": "1.0.0"])
    }

    private func done(_ offset: Int) -> MockAnswer { .status(204, headers: ["Upload-Offset": "\(offset)"]) }

    // MARK: Confirmations

    /// Responses to the last bytes that don't confirm anything.
    private static let vague: [(MockAnswer, isTus: Bool)] = [
        (.text("<html>a proxy</html>"), true), (.status(204, headers: ["Upload-Offset": "6"]), true),
        (.status(204, headers: ["Upload-Offset": "7", "upload-offset": "7"]), true),
        (.status(204, headers: ["Upload-Complete": "?0"]), false),
        (.status(200, headers: ["Upload-Offset": "3"]), false), (.text("<html>a proxy</html>"), false),
        (.status(200, headers: ["Upload-Offset": "3", "Upload-Complete": "?1"]), false), (.status(204), false),
    ]

    @Test(arguments: vague)
    func `bytes that the server does not confirm are not taken for uploaded`(answer: MockAnswer, isTus: Bool)
        async throws
    {
        let created = isTus ? created : draftCreated
        let (location, end) = isTus ? (located(3), done(7)) : (draftLocated(3), Self.draftEnd)
        let mock = MockTransport(created, answer, location, end)
        try await HTTPClient(mock).upload(endpoint, resuming: UploadStateStore.inMemory().store, options: .quick())
        #expect(mock.requests.map(\.method) == [.post, .patch, .head, .patch])
        #expect(mock.requests.last?.body.data == Data("tent".utf8))
    }

    @Test(arguments: [3, 6, 8])
    func `a page that a proxy sends for the server ends no upload, whatever the draft`(version: Int) async throws {
        let field = version < 4 ? "Upload-Incomplete" : "Upload-Complete"
        let (isOpen, isDone) = version < 4 ? ("?1", "?0") : ("?0", "?1")
        let options = ResumableUploadOptions.quick {
            $0.uploadProtocol = .draft(version: version)
            $0.failureLimit = 0
        }
        let begun = MockAnswer.status(201, headers: ["Location": "/v1/f/1", field: isOpen])
        let page = MockAnswer.text("<html>sign in to the Wi-Fi</html>")
        let nothing = MockAnswer.status(204, headers: ["Upload-Offset": "0", field: isOpen])
        let (store, state) = UploadStateStore.inMemory()
        let mock = MockTransport(begun, page, nothing)
        let error = await #expect(throws: NetworkError.self) {
            try await HTTPClient(mock).upload(endpoint, resuming: store, options: options)
        }
        #expect(error?.kind == .invalidResponse && state.withLock { $0?.offset } == 0)
        #expect(mock.requests.map(\.method) == [.post, .patch, .head])
        let end = MockAnswer.status(200, headers: [field: isDone])
        let later = MockTransport(nothing, end)
        try await HTTPClient(later).upload(endpoint, resuming: store, options: options)
        #expect(state.withLock { $0 } == nil && later.requests.map(\.method) == [.head, .patch])
    }

    @Test(arguments: [["Upload-Complete": "?1"], [:]])
    func `the app's own answer to the last bytes is that of the call if the server has them`(
        flag: [String: String]
    ) async throws {
        let all = MockAnswer.status(204, headers: HTTPHeaders(declared: flag.merging(["Upload-Offset": "7"]) { $1 }))
        let mock = MockTransport(draftCreated, .json(#"{"length": 7}"#), all)
        let (store, state) = UploadStateStore.inMemory()
        let options = ResumableUploadOptions.quick { $0.failureLimit = 0 }
        let stored: Stored = try await HTTPClient(mock).upload(endpoint, resuming: store, options: options)
        #expect(stored == Stored(length: 7) && state.withLock { $0 } == nil)
        #expect(mock.requests.map(\.method) == [.post, .patch, .head])
    }

    @Test func `a proxy's answer to a piece of an upload of the draft confirms nothing`() async throws {
        let mock = MockTransport(
            draftCreated, .text("<html>a proxy</html>"), draftLocated(0), .status(204, headers: ["Upload-Offset": "3"]),
            .status(204, headers: ["Upload-Complete": "?0"]), Self.draftEnd)
        let options = ResumableUploadOptions.quick { $0.pieceSize = 3 }
        try await HTTPClient(mock).upload(endpoint, resuming: UploadStateStore.inMemory().store, options: options)
        #expect(mock.requests.map(\.method) == [.post, .patch, .head, .patch, .patch, .patch])
        #expect(mock.requests.compactMap { $0.headers["Upload-Offset"] } == ["0", "0", "3", "6"])
    }

    @Test(arguments: [404, 410])
    func `an upload that is gone after an answer that confirms nothing is not sent again`(status: Int) async throws {
        for (dialect, isDraft) in [(created, false), (draftCreated, true)] {
            let mock = MockTransport(dialect, .text("<html>a proxy</html>"), .status(status))
            let (store, state) = UploadStateStore.inMemory()
            let error = await #expect(throws: NetworkError.self) {
                try await HTTPClient(mock).upload(endpoint, resuming: store, options: .quick())
            }
            if !isDraft {
                #expect(error?.statusCode == status)
            } else {
                #expect(error?.underlying as? UploadFailure == .responseLost && error?.kind == .invalidResponse)
                #expect(error?.response?.statusCode == 200)
            }
            #expect(mock.requests.map(\.method) == [.post, .patch, .head] && state.withLock { $0 } == nil)
        }
    }

    @Test func `the answer to a GET that a redirect made confirms nothing`() async throws {
        let mock = MockTransport(
            draftCreated, .status(303, headers: ["Location": "/login"]), .text("sign in"), draftLocated(0),
            Self.draftEnd)
        try await HTTPClient(mock).upload(endpoint, resuming: UploadStateStore.inMemory().store, options: .quick())
        #expect(mock.requests.map(\.method) == [.post, .patch, .get, .head, .patch])
    }

    @Test func `an error that a target accepts is no end of an upload`() async throws {
        var endpoint = self.endpoint
        endpoint.validation = .anyResponse
        let mock = MockTransport(draftCreated, .status(401), .status(503), draftLocated(0), .status(200))
        let (store, state) = UploadStateStore.inMemory()
        let error = await #expect(throws: NetworkError.self) {
            try await HTTPClient(mock).upload(endpoint, resuming: store, options: .quick())
        }
        #expect(error?.statusCode == 401 && state.withLock { $0 } != nil)
    }

    // MARK: Refusals

    @Test func `content that the server has refused is not reported as uploaded later`() async throws {
        let (store, state) = UploadStateStore.inMemory()
        let complete = MockAnswer.status(204, headers: ["Upload-Offset": "7", "Upload-Complete": "?1"])
        let client = HTTPClient(MockTransport(draftCreated, .status(422), complete))
        let error = await #expect(throws: NetworkError.self) {
            try await client.upload(endpoint, resuming: store, options: .quick())
        }
        #expect(error?.statusCode == 422 && state.withLock { $0 } == nil)
        // The call ends before the server can be queried.
        let hasty = HTTPClient(MockTransport(draftCreated, .status(500)))
        await #expect(throws: NetworkError.self) {
            try await hasty.upload(endpoint, resuming: store, options: .quick { $0.failureLimit = 0 })
        }
        let later = await #expect(throws: NetworkError.self) {
            try await HTTPClient(MockTransport(complete)).upload(endpoint, resuming: store, options: .quick())
        }
        #expect(later?.kind == .invalidResponse && later?.reason.contains("500") == true)
        #expect(state.withLock { $0 } == nil)
    }

    @Test(arguments: [502, 503, 504, 409, 423])
    func `a status of the way to the server does not fail an upload that is complete`(status: Int) async throws {
        let complete = MockAnswer.status(204, headers: ["Upload-Offset": "7", "Upload-Complete": "?1"])
        let client = HTTPClient(MockTransport(draftCreated, .status(status), complete))
        let end = try await client.upload(endpoint, resuming: UploadStateStore.inMemory().store, options: .quick())
        #expect(end.response == nil)
    }

    @Test func `a refused upload that the server has removed ends with its refusal`() async throws {
        let (store, state) = UploadStateStore.inMemory()
        let client = HTTPClient(MockTransport(draftCreated, .status(500), .status(404)))
        let error = await #expect(throws: NetworkError.self) {
            try await client.upload(endpoint, resuming: store, options: .quick())
        }
        #expect(error?.statusCode == 500 && state.withLock { $0 } == nil)
    }

    @Test func `an upload that the server has ended too early is an error`() async throws {
        let ended = MockAnswer.status(204, headers: ["Upload-Offset": "3", "Upload-Complete": "?1"])
        let client = HTTPClient(MockTransport(draftCreated, .status(503), ended))
        let error = await #expect(throws: NetworkError.self) {
            try await client.upload(endpoint, resuming: UploadStateStore.inMemory().store, options: .quick())
        }
        #expect(error?.kind == .invalidResponse && error?.underlying as? UploadFailure == .contradictoryRecord)
    }

    @Test func `the 404 of another server says nothing about the upload`() async throws {
        let failing = Locked(false)
        let token = TokenSource {
            guard failing.withLock({ $0 }) else { return "t" }
            let request = HTTPRequest(url: API.base)
            throw NetworkError(kind: .status, response: HTTPResponse(statusCode: 404, request: request))
        }
        let (store, state) = UploadStateStore.inMemory()
        let mock = MockTransport(
            created,
            .handler { _ in
                failing.withLock { $0 = true }
                return .failure(.lostBeforeResponse)
            })
        let error = await #expect(throws: NetworkError.self) {
            try await HTTPClient(mock, [token]).upload(endpoint, resuming: store, options: .quick())
        }
        #expect(!(error?.underlying is UploadFailure) && state.withLock { $0 } != nil)
        await #expect(throws: NetworkError.self) {
            try await HTTPClient(mock, [token]).discardUpload(endpoint, resuming: store)
        }
        #expect(state.withLock { $0 } != nil)
    }

    @Test func `a server that does not read Expect gets the bytes without it`() async throws {
        let mock = MockTransport(created, .status(503), located(0), .status(417), done(7))
        try await HTTPClient(mock).upload(endpoint, resuming: UploadStateStore.inMemory().store, options: .quick())
        #expect(mock.requests.suffix(2).map { $0.headers["Expect"] } == ["100-continue", nil])
    }

    @Test(arguments: [404, 405, 410, 403, 501]) func `a state is removed if the server removes no uploads`(status: Int)
        async throws
    {
        let (store, state) = UploadStateStore.inMemory()
        let mock = MockTransport(created, .status(400), located(0), .status(status))
        let client = HTTPClient(mock)
        await #expect(throws: NetworkError.self) { try await client.upload(endpoint, resuming: store) }
        try await client.discardUpload(endpoint, resuming: store)
        #expect(state.withLock { $0 } == nil && mock.requests.last?.method == .delete)
    }

    private static let removals: [(MockAnswer, isRemoved: Bool)] = [
        (.status(204), true), (.status(200), true), (.status(202), true),
        (.text("removed", headers: ["Tus-Resumable": "1.0.0"]), true),
        (.text("<html>sign in to the Wi-Fi</html>"), false), (.json(#"{"status": "ok"}"#, status: 203), false),
    ]

    @Test(arguments: removals)
    func `a page that a proxy sends for the server removes no upload`(answer: MockAnswer, isRemoved: Bool) async throws
    {
        let (store, state) = UploadStateStore.inMemory()
        let mock = MockTransport(created, .status(400), located(0), answer)
        let client = HTTPClient(mock)
        await #expect(throws: NetworkError.self) { try await client.upload(endpoint, resuming: store) }
        var error: NetworkError?
        do { try await client.discardUpload(endpoint, resuming: store) } catch let failure { error = failure }
        #expect((error == nil) == isRemoved && (state.withLock { $0 } == nil) == isRemoved)
        if !isRemoved { #expect(error?.kind == .invalidResponse && error?.response != nil) }
    }

    // MARK: Addresses, keys, states

    @Test(arguments: ["http://api.test/f", "https://u:p@api.test/f", "https://other.test/f"])
    func `an upload at an address that is refused is not kept`(location: String) async throws {
        let (store, state) = UploadStateStore.inMemory()
        let mock = MockTransport(.status(201, headers: ["Location": location, "Tus-Resumable": "1.0.0"]))
        let client = HTTPClient(mock, base: URL(string: "https://api.test/v1")!)
        await #expect(throws: NetworkError.self) { try await client.upload(endpoint, resuming: store) }
        #expect(state.withLock { $0 } == nil && mock.requests.count == 1)
    }

    @Test(arguments: ["http://api.test/f", "http://other.test/f"])
    func `a key that the server repeats in the address is not kept`(location: String) async throws {
        let store = UploadStateStore.inMemory().store
        let repeated = "\(location)?api_key=canary&part=1"
        let mock = MockTransport(
            .status(201, headers: ["Location": repeated, "Tus-Resumable": "1.0.0"]), .status(400), .status(404))
        let key = APIKeyAuth(key: "canary", in: .query("api_key"), origins: [API.base])
        let options = ResumableUploadOptions.quick { $0.allowsOtherOrigins = true }
        await #expect(throws: NetworkError.self) {
            try await HTTPClient(mock, [key]).upload(endpoint, resuming: store, options: options)
        }
        let isOther = location.contains("other")
        #expect(mock.requests[1].url.absoluteString == "\(location)?part=1" + (isOther ? "" : "&api_key=canary"))
    }

    @Test func `a server of the draft may name its limits alone`() async throws {
        let created = MockAnswer.status(201, headers: ["Location": "/v1/f", "Upload-Limit": "max-size=100"])
        let mock = MockTransport(created, Self.draftEnd)
        try await HTTPClient(mock).upload(endpoint, resuming: UploadStateStore.inMemory().store, options: .quick())
        #expect(mock.requests.last?.headers["Upload-Complete"] == "?1")
    }

    @Test func `the steps of an upload share no idempotency key`() async throws {
        let mock = MockTransport(created, .status(503), located(0), done(7))
        let client = HTTPClient(mock, [IdempotencyKey(), RetryPolicy()]) { $0.observers = [EventLog()] }
        try await client.upload(endpoint, resuming: UploadStateStore.inMemory().store, options: .quick())
        #expect(mock.requests.map { $0.headers["Idempotency-Key"] == nil } == [false, true, true, true])
    }

    @Test func `a state with another length than the content is not continued`() async throws {
        let (store, state) = UploadStateStore.inMemory()
        await #expect(throws: NetworkError.self) {
            try await HTTPClient(MockTransport(created, .status(400), .status(400))).upload(endpoint, resuming: store)
        }
        let text = try String(decoding: JSONEncoder().encode(state.withLock { $0 }), as: UTF8.self)
            .replacing(#""length":7"#, with: #""length":3"#)
        let damaged = try JSONDecoder().decode(UploadState.self, from: Data(text.utf8))
        #expect(damaged.length == 3)
        let mock = MockTransport(done(3))
        let error = await #expect(throws: NetworkError.self) {
            let store = UploadStateStore(load: { damaged }, save: { _ in })
            try await HTTPClient(mock).upload(endpoint, resuming: store)
        }
        #expect(error?.underlying as? UploadFailure == .contentChanged && mock.requests.isEmpty)
    }

    @Test func `an upload that is complete succeeds also if its state cannot be removed`() async throws {
        struct Full: Error {}
        let store = UploadStateStore(load: { nil }, save: { if $0 == nil { throw Full() } })
        let client = HTTPClient(
            MockTransport(draftCreated, .json(#"{"length": 7}"#, headers: ["Upload-Complete": "?1"])))
        let stored: Stored = try await client.upload(endpoint, resuming: store)
        #expect(stored == Stored(length: 7))
    }

    // MARK: Records

    @Test(arguments: [
        ["Upload-Offset": "8", "Upload-Complete": "?0"], ["Upload-Offset": "3", "Upload-Length": "8"],
        ["Upload-Offset": "3", "Upload-Complete": "?1"],
    ])
    func `a record that contradicts itself has a failure of its own, and its state is removed`(
        fields: [String: String]
    ) async throws {
        let (store, state) = UploadStateStore.inMemory()
        let record = MockAnswer.status(204, headers: HTTPHeaders(declared: fields))
        let error = await #expect(throws: NetworkError.self) {
            try await HTTPClient(MockTransport(draftCreated, .status(503), record))
                .upload(endpoint, resuming: store, options: .quick())
        }
        #expect(error?.kind == .invalidResponse && error?.underlying as? UploadFailure == .contradictoryRecord)
        #expect(state.withLock { $0 } == nil)
        try await HTTPClient(MockTransport(draftCreated, Self.draftEnd)).upload(endpoint, resuming: store)
    }

    @Test func `a stored state whose numbers contradict each other is removed, and the next call begins again`()
        async throws
    {
        let (store, state) = UploadStateStore.inMemory()
        await #expect(throws: NetworkError.self) {
            try await HTTPClient(MockTransport(created, .status(400), .status(400))).upload(endpoint, resuming: store)
        }
        let text = try String(decoding: JSONEncoder().encode(state.withLock { $0 }), as: UTF8.self)
            .replacing(#""offset":0"#, with: #""offset":8"#)
        let damaged = try JSONDecoder().decode(UploadState.self, from: Data(text.utf8))
        state.withLock { $0 = damaged }
        let mock = MockTransport(created, done(7))
        let error = await #expect(throws: NetworkError.self) {
            try await HTTPClient(mock).upload(endpoint, resuming: store)
        }
        #expect(error?.underlying as? UploadFailure == .contradictoryRecord && mock.requests.isEmpty)
        try await HTTPClient(mock).upload(endpoint, resuming: store)
        #expect(mock.requests.map(\.method) == [.post, .patch])
    }

    private static let draftEnd = MockAnswer.status(200, headers: ["Upload-Complete": "?1"])
    private let draftCreated = MockAnswer.status(201, headers: ["Location": "/v1/f/1", "Upload-Complete": "?0"])

    private func draftLocated(_ offset: Int) -> MockAnswer {
        .status(204, headers: ["Upload-Offset": "\(offset)", "Upload-Complete": "?0"])
    }
}
