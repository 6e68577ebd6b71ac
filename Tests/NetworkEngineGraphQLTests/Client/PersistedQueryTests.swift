import Foundation
import NetworkEngineGraphQL
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct PersistedQueryTests {
    private struct Me: Decodable, Equatable, Sendable { var name: String }
    private let hash = "ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38"

    /// A summary of the requests for an operation.
    private func sent(_ answers: MockAnswer..., usesGET: Bool = false) async throws -> [String] {
        let mock = MockTransport()
        mock.on().answers(answers)
        var options = GraphQLClientOptions()
        (options.persistsQueries, options.usesGETForQueries) = (true, usesGET)
        let operation = GraphQLOperation(document: "{__typename}")
        #expect(try await GraphQLClient(mock, options).execute(operation) == Me(name: "Ada"))
        try mock.checkAllUsed()
        return mock.requests.map { request in
            let text =
                request.body.data.map { String(decoding: $0, as: UTF8.self) } ?? request.url.absoluteString
                .removingPercentEncoding ?? ""
            let parts = ["query", "sha256Hash"].filter { text.contains($0 == "query" ? "{__typename}" : hash) }
            return ([request.method.rawValue] + parts).joined(separator: " ")
        }
    }

    private static let success = MockAnswer.json(#"{"data": {"name": "Ada"}}"#)

    @Test func `a known query is sent as its hash only`() async throws {
        #expect(try await sent(Self.success) == ["POST sha256Hash"])
        #expect(try await sent(Self.success, usesGET: true) == ["GET sha256Hash"])
    }

    @Test(
        arguments: [
            (#"{"errors": [{"message": "PersistedQueryNotFound"}]}"#, "POST query sha256Hash"),
            (
                #"{"errors": [{"message": "?", "extensions": {"code": "PERSISTED_QUERY_NOT_FOUND"}}]}"#,
                "POST query sha256Hash"
            ),
            (#"{"errors": [{"message": "PersistedQueryNotSupported"}]}"#, "POST query"),
        ], [200, 400])
    func `the text is sent when the server asks for it`(answer: (String, String), status: Int) async throws {
        #expect(try await sent(.json(answer.0, status: status), Self.success) == ["POST sha256Hash", answer.1])
    }

    @Test(arguments: [
        MockAnswer.json(#"{"errors": [{"message": "Must provide query string."}]}"#, status: 400),
        .json(#"{"errors": [{"message": "No query string was present"}]}"#),
        .json(#"{"errors": [{"message": "no operation provided"}]}"#, status: 422),
        .json(#"{"error": "query is required"}"#, status: 400),
        .status(400, body: "Bad Request"),
        .status(400),
    ])
    func `a server without persisted queries gets the whole query without a hash`(answer: MockAnswer) async throws {
        #expect(try await sent(answer, Self.success) == ["POST sha256Hash", "POST query"])
        #expect(try await sent(answer, Self.success, usesGET: true) == ["GET sha256Hash", "GET query"])
    }

    @Test(arguments: [
        #"{"data": null, "errors": [{"message": "unknown document"}]}"#,
        #"{"data": null, "errors": [{"message": "?", "extensions": {"code": "UNKNOWN_HASH"}}]}"#,
    ])
    func `a query without data is sent with its text`(answer: String) async throws {
        #expect(try await sent(.json(answer), Self.success) == ["POST sha256Hash", "POST query"])
    }

    /// The result of an operation if the server responds to its hash this way, and the number of requests.
    private func outcome(_ answer: MockAnswer) async -> (kind: GraphQLError.Kind?, requests: Int) {
        let mock = MockTransport(answer.repeating())
        var options = GraphQLClientOptions()
        options.persistsQueries = true
        let operation = GraphQLOperation(document: "mutation { pay { name } }")
        do throws(GraphQLError) {
            let _: Me = try await GraphQLClient(mock, options).execute(operation)
            return (nil, mock.requests.count)
        } catch {
            return (error.kind, mock.requests.count)
        }
    }

    @Test(arguments: [
        #"{"data": {"pay": null}, "errors": [{"message": "too little money"}]}"#,
        #"{"data": null, "errors": [{"message": "too little money"}]}"#,
        #"{"data": {"pay": 1}, "errors": [{"message": "PersistedQueryNotFound"}]}"#,
        #"{"data": null, "errors": [{"message": "PersistedQueryNotFound", "path": ["pay"]}]}"#,
        #"{"errors": [{"message": "too little money", "path": ["pay"]}]}"#,
        #"{"errors": [{}]}"#,
    ])
    func `an operation that was processed is not sent again with its text`(answer: String) async {
        let outcome = await outcome(.json(answer))
        #expect(outcome == (.responseErrors, 1))
    }

    @Test(arguments: [
        MockAnswer.json(#"{"error": "card declined"}"#, status: 400), .status(422, body: "<p>"), .status(400),
    ])
    func `a mutation is not sent again after a failure that is not of GraphQL`(answer: MockAnswer) async {
        #expect(await outcome(answer) == (.network, 1))
    }

    @Test(arguments: [401, 403, 404, 429, 500, 503])
    func `no other status is read as a request for the text`(status: Int) async {
        #expect(await outcome(.status(status)) == (.network, 1))
        let error = #"{"errors": [{"message": "not now"}]}"#
        #expect(await outcome(.json(error, status: status)) == (.responseErrors, 1))
    }

    private static let unknownHash = MockAnswer.json(#"{"errors": [{"message": "PersistedQueryNotFound"}]}"#)

    /// A client that sends hashes first.
    private func client(_ httpClient: HTTPClient) -> GraphQLClient {
        var options = GraphQLClientOptions()
        options.persistsQueries = true
        return GraphQLClient(httpClient: httpClient, options: options)
    }

    @Test func `the text of an operation is not sent as another user than its hash`() async throws {
        let refresher = TokenRefresher(store: InMemoryCredentialStore(BearerToken("ada"))) { old, _ in old }
        let mock = MockTransport(
            .handler { _ in
                try await refresher.signOut()
                try await refresher.signIn(BearerToken("bob"))
                return Self.unknownHash
            }, Self.success)
        let client = client(HTTPClient(mock, [refresher]))
        let error = await #expect(throws: GraphQLError.self) {
            let _: Me = try await client.execute(GraphQLOperation(document: "mutation { pay { name } }"))
        }
        guard case .signedOut? = error?.networkError?.underlying as? RefreshFailure else {
            return #expect(Bool(false), "\(error as Any)")
        }
        #expect(error?.networkError?.kind == .authentication)
        #expect(mock.requests.map { $0.headers["Authorization"] } == ["Bearer ada"])
    }

    @Test(arguments: [false, true])
    func `an operation that is sent twice ends at its deadline`(isOwn: Bool) async throws {
        let (clock, sent) = (TestClock(), OneShot<Void>())
        let mock = MockTransport(
            .handler { _ in
                clock.advance(by: .seconds(3))
                return Self.unknownHash
            },
            .handler { _ in
                sent.settle(())
                return .hang
            })
        let httpClient = HTTPClient(mock) {
            $0.clock = clock
            if !isOwn { $0.deadline = .seconds(5) }
        }
        var operation = GraphQLOperation(document: "{ name }")
        if isOwn { operation.deadline = .seconds(5) }
        let call = Task { [operation] in
            let _: Me = try await client(httpClient).execute(operation)
        }
        try await sent.wait()
        #expect(await clock.advanceToNextSleeper() == .seconds(2))
        let error = await #expect(throws: GraphQLError.self) { try await call.value }
        #expect(error?.networkError?.transportFailure == .timeout(.deadline))
    }

    @Test func `the response to the text is the result of the call`() async {
        let outcome = await outcome(.json(#"{"errors": [{"message": "Cannot query field"}]}"#, status: 400))
        #expect(outcome == (.responseErrors, 2))
    }
}
