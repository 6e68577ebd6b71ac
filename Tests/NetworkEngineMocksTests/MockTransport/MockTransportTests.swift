import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)))
struct MockTransportTests {
    @Test func `plain answers are given in order to any request`() async throws {
        let mock = MockTransport(.status(503), .json("[]"))
        #expect(try await mock.ask(.get, "/a").statusCode == 503)
        let second = try await mock.ask(.post, "/b")
        #expect(second.statusCode == 200)
        #expect(second.data == Data("[]".utf8))
        #expect(second.headers["content-type"] == "application/json")
    }

    @Test func `the headers of an answer can contain a name twice, in any spelling`() async throws {
        let cookies = MockAnswer.status(200, headers: ["Set-Cookie": "a=1", "set-cookie": "b=2"])
        let response = try await MockTransport(cookies).ask(.get, "/a")
        #expect(response.headers.values(for: "Set-Cookie") == ["a=1", "b=2"])
    }

    @Test func `a response knows the request it answers`() async throws {
        let response = try await MockTransport(.status(204)).ask(.delete, "/users/7")
        #expect(response.request.description == "DELETE https://api.test/users/7")
    }

    @Test func `requests are recorded in order, also refused ones`() async throws {
        let mock = MockTransport(.status(200))
        try await mock.ask(.post, "/a", body: "hello")
        _ = await mock.refusal(of: .get, "/b")
        #expect(mock.requests.map(\.url.path) == ["/a", "/b"])
        #expect(mock.requests.first?.body.data == Data("hello".utf8))
    }

    @Test func `an answer repeats as often as configured, and the last one without end`() async throws {
        let mock = MockTransport(.status(500).repeating(2), .status(200).repeating())
        var statuses: [Int] = []
        for _ in 1...5 { statuses.append(try await mock.ask().statusCode) }
        #expect(statuses == [500, 500, 200, 200, 200])
    }

    @Test func `the first rule that matches and has answers left wins`() async throws {
        let mock = MockTransport()
        let once = mock.on(.get, "/users").answers(.status(201))
        let rest = mock.on(.get, "/**").answers(.status(202).repeating())
        #expect(try await mock.ask(.get, "/users").statusCode == 201)
        #expect(try await mock.ask(.get, "/users").statusCode == 202)
        #expect(once.requests.count == 1 && rest.requests.count == 1)
    }

    @Test func `a handler sees the request and the named segments`() async throws {
        let mock = MockTransport()
        mock.on(.get, "/users/:id/posts/:post").answers(
            .handler { request, segments in
                .status(200, body: "\(request.method) \(segments["id"] ?? "") \(segments["post"] ?? "")")
            }
        )
        let response = try await mock.ask(.get, "/users/7/posts/a%20b")
        #expect(String(decoding: response.data, as: UTF8.self) == "GET 7 a b")
    }

    @Test func `a value is sent as its JSON`() async throws {
        let response = try await MockTransport(.json(["id": 7], status: 201)).ask()
        #expect(response.statusCode == 201)
        #expect(String(decoding: response.data, as: UTF8.self) == #"{"id":7}"#)
    }

    @Test func `an optional rule may stay unused`() async throws {
        let mock = MockTransport()
        mock.on(.get, "/a").answers(.status(200)).optional()
        mock.on(.get, "/b").answers(.status(200))
        #expect(mock.unusedRules.count == 1)
        try await mock.ask(.get, "/b")
        try mock.checkAllUsed()
        #expect(try await mock.ask(.get, "/a").statusCode == 200)
    }
}
