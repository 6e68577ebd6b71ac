import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)))
struct NearMissTests {
    private let lead = "no rule of the mock answers this request"

    @Test func `the error of a mock without rules says so`() async {
        #expect(await MockTransport().refusal() == "\(lead): it has no rules")
    }

    @Test func `the error names how often a used-up rule has answered`() async throws {
        let mock = MockTransport(.status(503), .status(200))
        for _ in 1...2 { try await mock.ask() }
        #expect(
            await mock.refusal() == "\(lead): rule 1 (any method any path) matches but has given all its answers (2)")
    }

    @Test func `unanswered requests have the reason of every rule`() async throws {
        let mock = MockTransport()
        mock.on(.post, "/users").answers(.empty)
        mock.on(.get, "/users").answers(.empty)
        try await mock.ask(.get, "/users")
        #expect(mock.unanswered.isEmpty)
        _ = await mock.refusal(of: .get, "/users")
        let unanswered = try #require(mock.unanswered.first)
        let reasons = [
            "rule 1 (POST /users): the method is GET, not POST",
            "rule 2 (GET /users) matches but has given all its answers (1)",
        ]
        #expect(unanswered.reasons == reasons && unanswered.request.url.path == "/users")
        #expect(unanswered.description == "\(unanswered.request)\n  \(reasons[0])\n  \(reasons[1])")
        #expect(mock.unanswered.count == 1 && mock.requests.count == 2)
    }

    @Test func `the error names a rule without answers`() async {
        let mock = MockTransport()
        _ = mock.on(.get, "/users")
        #expect(await mock.refusal(of: .get, "/users") == "\(lead): rule 1 (GET /users) matches but has no answers")
    }

    @Test func `every part that differs is named`() async {
        let mock = MockTransport()
        mock.on(.post, "/users/:id", query: ["page": "2"], headers: ["Accept": "text/plain"]) { _ in false }.answers(
            .hang)
        let reason = await mock.refusal(of: .get, "/user/7?page=1", headers: ["Accept": "*/*"])
        #expect(
            reason == """
                \(lead); closest is rule 1 (POST /users/:id, query page, header Accept, condition): the method is GET, not \
                POST; the path is /user/7; query item page is "1", not "2"; header Accept is "*/*", not "text/plain"; its \
                condition is not met
                """
        )
    }

    @Test func `secret headers and query items are not shown`() async {
        let mock = MockTransport()
        mock.on(.get, "/", query: ["token": "t1"], headers: ["Authorization": "Bearer a"]).answers(.status(200))
        let reason = await mock.refusal(of: .get, "/?token=t2", headers: ["Authorization": "Bearer b"])
        #expect(
            reason == """
                \(lead); closest is rule 1 (GET /, query token, header Authorization): query item token is <redacted>, not \
                <redacted>; header Authorization is <redacted>, not <redacted>
                """
        )
    }

    @Test(
        arguments: [
            (HTTPMethod.get, "/users/7/posts", "rule 1"), (.put, "/users/7/posts", "rule 2"),
            (.get, "/user/7", "rule 1"), (.post, "/posts?draft=1", "rule 3"),
            (.get, "https://else.test/posts", "rule 3"),
        ]
    )
    func `the closest rule is the one with the nearest address, then method, then parts`(
        method: HTTPMethod,
        path: String,
        closest: String
    ) async {
        let mock = MockTransport()
        mock.on(.get, "/users/:id").answers(.hang)
        mock.on(.put, "/users/:id").answers(.hang)
        mock.on(.post, "/posts", query: ["draft": "0"]).answers(.hang)
        #expect(await mock.refusal(of: method, path).contains("closest is \(closest) "))
    }

    @Test func `a refusal is an error of the transport that carries the request`() async throws {
        let error = await #expect(throws: NetworkError.self) { try await MockTransport().ask(.put, "/users") }
        #expect(error?.kind == .transport)
        #expect(error?.request?.description == "PUT https://api.test/users")
    }

    @Test func `a rule that was never used is reported`() async throws {
        let mock = MockTransport()
        mock.on(.get, "/users").answers(.status(500), .status(200).repeating(2))
        mock.on(.get, "/posts").answers(.status(200).repeating())
        mock.on(.get, "/used").answers(.status(200))
        for path in ["/users", "/used"] { try await mock.ask(.get, path) }
        let error = #expect(throws: UnusedRules.self) { try mock.checkAllUsed() }
        #expect(
            error?.description == """
                the mock was not used up: rule 1 (GET /users) has 2 of its answers left; rule 2 (GET /posts) has 1 of its \
                answers left
                """
        )
        for path in ["/users", "/users", "/posts", "/posts"] { try await mock.ask(.get, path) }
        try mock.checkAllUsed()
    }
}
