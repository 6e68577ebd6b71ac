import Fixtures
import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)))
struct MockFixtureTests {
    /// The responses to requests for these paths, from a rule for `/users/:id` that answers with a fixture's text.
    private func responses(of text: String, to paths: String...) async throws -> [HTTPResponse] {
        let folder = try TemporaryFolder(["Answer.response.json": text, "User.json": "{}"])
        let mock = MockTransport(clock: TestClock())
        mock.on(.get, "/users/:id").answers(.fixture("Answer", in: .folder(folder.url)))
        var responses: [HTTPResponse] = []
        for path in paths { responses.append(try await mock.ask(.get, path)) }
        return responses
    }

    private func refusal(of text: String) async throws -> String {
        let folder = try TemporaryFolder(["Answer.response.json": text])
        let mock = MockTransport(.fixture("Answer", in: .folder(folder.url)))
        return await mock.refusal().replacingOccurrences(of: folder.url.path + "/", with: "")
    }

    @Test func `a file is a body unchanged`() async throws {
        let mock = MockTransport(.fixture("User", in: .bundle(Fixtures.bundle), status: 201, headers: ["ETag": "x"]))
        let response = try await mock.ask()
        #expect(try response.data == Fixtures.data("User"))
        #expect(response.statusCode == 201)
        #expect(response.headers == ["Content-Type": "application/json", "ETag": "x"])
    }

    @Test func `a file can have status, headers and body`() async throws {
        let text = #"{"status": 202, "headers": {"A": "1", "Set-Cookie": ["a", "b"]}, "body": {"x": [1.50, null]}}"#
        let response = try #require(try await responses(of: text, to: "/users/7").first)
        #expect(response.statusCode == 202)
        #expect(response.headers.values(for: "set-cookie") == ["a", "b"])
        #expect(response.headers["Content-Type"] == "application/json")
        #expect(String(decoding: response.data, as: UTF8.self) == #"{"x": [1.50, null]}"#)
    }

    @Test func `a file can have several answers`() async throws {
        let text = #"{"sequence": [{"status": 503}, {"text": "hello"}, {"file": "User.json"}]}"#
        let responses = try await responses(of: text, to: "/users/1", "/users/1", "/users/1")
        #expect(responses.map(\.statusCode) == [503, 200, 200])
        #expect(responses.map { String(decoding: $0.data, as: UTF8.self) } == ["", "hello", "{}"])
    }

    @Test func `a repeating sequence starts again`() async throws {
        let folder = try TemporaryFolder(["A.response.json": #"{"sequence": [{"status": 503}, {}]}"#])
        let mock = MockTransport(.fixture("A", in: .folder(folder.url)).repeating())
        var statuses: [Int] = []
        for _ in 1...4 { statuses.append(try await mock.ask().statusCode) }
        #expect(statuses == [503, 200, 503, 200])
    }

    @Test func `placeholders are filled from the request and escaped`() async throws {
        let text = #"{"body": {"id": {{id}}, "name": "<{{ query.name }}>", "css": "a{{}}"}}"#
        let expected = [
            "/users/7?name=%22A%22%0A%5C": #"{"id": 7, "name": "<\"A\"\n\\>", "css": "a{{}}"}"#,
            "/users/8?name=b": #"{"id": 8, "name": "<b>", "css": "a{{}}"}"#,
        ]
        for (path, body) in expected {
            let response = try #require(try await responses(of: text, to: path).first)
            #expect(String(decoding: response.data, as: UTF8.self) == body)
        }
    }

    @Test func `any file is a template if there are values`() async throws {
        let folder = try TemporaryFolder(["User.json": #"{"id": {{id}}, "name": "{{name}}"}"#])
        let mock = MockTransport()
        mock.on(.get, "/users/:id").answers(.fixture("User", in: .folder(folder.url), values: ["name": "Ada"]))
        let response = try await mock.ask(.get, "/users/7")
        #expect(String(decoding: response.data, as: UTF8.self) == #"{"id": 7, "name": "Ada"}"#)
        let plain = MockTransport(.fixture("User", in: .folder(folder.url)))
        #expect(String(decoding: try await plain.ask().data, as: UTF8.self).contains("{{id}}"))
    }

    @Test func `a file can delay its answer`() async throws {
        let folder = try TemporaryFolder(["Slow.response.json": #"{"delay": 1.5}"#])
        let clock = TestClock()
        let mock = MockTransport(.fixture("Slow", in: .folder(folder.url)), clock: clock)
        let call = Task { try await mock.ask().statusCode }
        #expect(await clock.advanceToNextSleeper() == .seconds(1.5))
        #expect(try await call.value == 200)
    }

    @Test(
        arguments: [
            (
                "{\n\"statu\": 200}",
                "statu: not part of a response; it may have status, headers, delay, body, text, file, sequence"
            ),
            ("{\"body\": [\n{},\n]}", "not JSON: unexpected \"]\""),
            ("{\n\"body\": {{id}}}", "there is no value for {{id}}"),
            ("\n{\"sequence\": []}", "sequence: the sequence has no responses"),
            ("{\"sequence\": [\n{\"sequence\": []}]}", "sequence[0]: a sequence inside a sequence"),
        ]
    )
    func `an invalid file fails the request with the position of the error`(text: String, reason: String) async throws {
        let line = text.contains(",\n]") ? 3 : 2
        #expect(try await refusal(of: text) == "Answer.response.json:\(line): \(reason)")
    }

    @Test(arguments: ["1e300", "-1", "1e10"]) func `a delay that no clock can wait for is an error`(
        delay: String
    ) async throws {
        let reason = "delay: a delay is a number of seconds between 0 and 1000000000"
        #expect(try await refusal(of: "{\n\"delay\": \(delay)}") == "Answer.response.json:2: \(reason)")
    }

    @Test func `a missing file fails the request and lists the existing ones`() async {
        let mock = MockTransport(.fixture("Userr", in: .folder(Fixtures.folder)))
        #expect(
            await mock.refusal().hasPrefix("fixture Userr: not found in \(Fixtures.folder.path); it has Contacts"))
    }
}
