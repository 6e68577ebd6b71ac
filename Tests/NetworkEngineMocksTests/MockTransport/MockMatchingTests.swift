import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)))
struct MockMatchingTests {
    @Test(
        arguments: [
            ("/users", "/users"), ("users", "/users"), ("/", "/"), ("/", "https://api.test"), ("**", "/a/b/"),
            ("/users/*", "/users/7"), ("/users/*.png", "/users/ada.png"), ("/users/:id", "/users/7"),
            ("/**", "/"), ("/**", "/a/b/c"), ("/a/**", "/a"), ("/a/**/z", "/a/z"), ("/a/**/z", "/a/b/c/z"),
            ("/**/x/*", "/x/x/7"), ("/a b/ü", "/a%20b/%C3%BC"), ("/users/", "/users/"),
            ("/users?page=2", "/users?size=9&page=2"),
            ("https://api.test/users", "/users"), ("https://*.test/users", "HTTPS://API.test/users"),
            ("https://api.test", "https://api.test/"), ("/users", "/users?page=2#top"), ("/a/*", "/a/b%2Fc"),
        ]
    )
    func `a path is matched`(pattern: String, path: String) async throws {
        let mock = MockTransport()
        mock.on(.get, pattern).answers(.status(200))
        try await mock.ask(.get, path)
    }

    @Test(
        arguments: [
            ("/users", "/users/"), ("/users/*", "/users"), ("/users/*", "/users/7/posts"), ("/users/:id", "/users/"),
            ("/a/**/z", "/a/b"), ("/users", "/Users"), ("/users/*.png", "/users/ada.jpg"), ("/a", "//a"),
            ("/users?page=2", "/users?page=3"), ("https://other.test/users", "/users"),
            ("http://api.test/users", "/users"),
        ]
    )
    func `another path is not matched`(pattern: String, path: String) async {
        let mock = MockTransport()
        mock.on(.get, pattern).answers(.status(200))
        #expect(await mock.refusal(of: .get, path).contains("closest is rule 1"))
    }

    @Test func `a path is compared in a time that grows with its length and that of the pattern`() async throws {
        let pattern = String(repeating: "/**/a/:b", count: 30)
        let path = String(repeating: "/a/x", count: 60)
        let mock = MockTransport()
        mock.on(.get, pattern).answers(.status(200))
        try await mock.ask(.get, path)
        let other = MockTransport()
        other.on(.get, pattern + "/z").answers(.status(200))
        #expect(await other.refusal(of: .get, path).contains("closest is rule 1"))
    }

    @Test(arguments: [
        ("/**/:a", "/x/y", "y"), ("/:a/**", "/x/y", "x"), ("/**/:a/**", "/x/y", "x"), ("/**/b/:a", "/b/x/b/y", "y"),
        ("/**/:a/**/c", "/x/y/c", "x"),
    ])
    func `a name stands for the first segment that fits it`(pattern: String, path: String, value: String) async throws {
        let mock = MockTransport()
        mock.on(.get, pattern).answers(.handler { .text($1["a"] ?? "") })
        #expect(try await mock.ask(.get, path).data == Data(value.utf8))
    }

    @Test func `query items, headers and a condition restrict a rule`() async throws {
        let mock = MockTransport()
        mock.on(query: ["page": "2", "q": "a&b"]).answers(.status(201))
        mock.on(headers: ["accept": "*/json*", "X-Trace": "*"]).answers(.status(202))
        mock.on { $0.timeout == nil && $0.method == .patch }.answers(.status(203))
        #expect(try await mock.ask(.get, "/?q=a%26b&page=1&page=2").statusCode == 201)
        #expect(try await mock.ask(headers: ["Accept": "application/json; v=1", "x-trace": ""]).statusCode == 202)
        #expect(try await mock.ask(.patch).statusCode == 203)
    }

    @Test(
        arguments: [
            (#"{"a": 1}"#, #"{"b": [1], "a": 1.0}"#), (#"{"a": {"b": null}}"#, #"{"a": {"b": null, "c": 1}}"#),
            (#"[{"a": 1}, true]"#, #"[{"a": 1, "b": 2}, true]"#), ("{}", #"{"a": 1}"#), (#""x""#, #""x""#),
        ]
    )
    func `a body matches if it contains the expected JSON`(json: String, body: String) async throws {
        let mock = MockTransport()
        mock.on(.post, "/", json: json).answers(.status(200))
        try await mock.ask(.post, body: body)
    }

    @Test(
        arguments: [
            (#"{"a": 1}"#, #"{"a": 2}"#, "the body's a is 2, not 1"),
            (#"{"a": {"b": [1, true]}}"#, #"{"a": {"b": [1, 1]}}"#, "the body's a.b[1] is 1, not true"),
            (#"{"a": {"b": null}}"#, #"{"a": {}}"#, "the body's a.b is missing, not null"),
            (#"{"a": [1]}"#, #"{"a": [1, 2]}"#, "the body's a is an array of 2, not an array of 1"),
            (#"{"password": "x"}"#, #"{"password": "y"}"#, "the body's password is <redacted>, not <redacted>"),
            ("[]", "{}", "the body is an object of 0, not an array of 0"),
            ("[]", "<html>", "the body is not JSON"),
            ("[]", "", "the body is empty, not JSON"),
            ("[", "[]", "the rule's own JSON cannot be parsed"),
        ]
    )
    func `a refusal names the path where the JSON differs`(json: String, body: String, difference: String) async {
        let mock = MockTransport()
        mock.on(.post, "/users", json: json).answers(.status(200))
        let reason =
            "no rule of the mock answers this request; closest is rule 1 (POST /users, JSON body): \(difference)"
        #expect(await mock.refusal(of: .post, "/users", body: body) == reason)
    }
}
