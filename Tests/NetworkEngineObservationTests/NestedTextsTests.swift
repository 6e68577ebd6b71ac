import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation
@testable import NetworkEngineTesting

/// Texts within texts: JSON in strings, in markup, and in strings again.
@Suite(.timeLimit(.minutes(5)), .disabled(if: ThreadSanitizer.isWatching, "runs on one thread"))
struct NestedTextsTests {
    private static let secret = "hunter2-hunter2"

    private func redact(_ body: String, _ type: String) -> (body: String, secrets: Set<String>) {
        var request = HTTPRequest(method: .post, url: URL(fileURLWithPath: "/"))
        request.body = .data(Data(body.utf8))
        request.headers["Content-Type"] = type
        var redactor = MessageRedactor()
        let redacted = redactor.redact(request)
        return (redacted.body.data.map { String(decoding: $0, as: UTF8.self) } ?? "", redactor.secrets)
    }

    private static func literal(_ text: String) throws -> String {
        String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }

    private static func markup(_ text: String) -> String {
        let entities = [("&", "&amp;"), ("<", "&lt;"), ("\"", "&quot;")]
        return "<a>\(entities.reduce(text) { $0.replacing($1.0, with: $1.1) })</a>"
    }

    private static func labeled(_ text: String) throws -> String {
        #"{"value": "x", "name": "token", "a": \#(try literal(text))}"#
    }

    private static let nestings: [String: @Sendable (String) throws -> String] = [
        "labels behind values": { try labeled($0) }, "labels behind values in markup": { markup(try labeled($0)) },
        "JSON in markup": { #"<a>{"a": \#(try literal($0))}</a>"# },
        "three levels of JSON in markup": { markup(try labeled(labeled(labeled($0)))) },
    ]

    @Test(arguments: nestings.keys, ["application/json", "text/html", "text/plain"])
    func `the time for texts in texts does not double with each level`(nesting: String, type: String) throws {
        let nested = try #require(Self.nestings[nesting])
        // The shorter the first text is, the more levels fit the length.
        var body = String(repeating: "q: [b] c ", count: TestLength.count(50, gate: 500, whole: 2_000))
        for _ in 0..<12 where body.utf8.count < TestLength.count(1 << 14, gate: 1 << 16, whole: 1 << 18) {
            body = try nested(body)
        }
        #expect(!redact(body, type).body.isEmpty)
    }

    @Test(arguments: nestings.keys, ["text/html", "text/plain"])
    func `what is too deep to be looked into is not shown`(nesting: String, type: String) throws {
        let nested = try #require(Self.nestings[nesting])
        let filler = String(repeating: "q: [b] c ", count: TestLength.part(of: 2_000))
        for depth in 0...3 {
            var body = #"{"a": "\#(filler)", "password": "\#(Self.secret)"}"#
            for _ in 0..<depth { body = try nested(body) }
            let shown = redact(body, type).body
            #expect(!shown.contains("hunter"), "\(depth): \(shown.suffix(200))")
            #expect(shown.contains("redacted"))
        }
    }

    @Test func `a text within others of usual depth stays`() throws {
        var body = String(repeating: "q: [b] c ", count: 2_000)
        for level in 0..<4 { body = level % 2 == 0 ? #"{"a": \#(try Self.literal(body))}"# : Self.markup(body) }
        for type in ["application/json", "text/html"] { #expect(redact(body, type).body == body) }
    }

    @Test(arguments: [
        #"{"value": "{\"password\": \"\#(secret)\"}", "name": "token"}"#,
        #"{"value": ["{\"password\": \"\#(secret)\"}"], "name": "token"}"#,
        #"{"name": "token", "value": "{\"password\": \"\#(secret)\"}"}"#,
        #"{'value': '{"password": "\#(secret)"}', 'name': 'token'}"#,
        #"{"value": "{\"password\": \"\#(secret)"#,
    ])
    func `a secret within a value that a label hides is known, to be hidden elsewhere`(body: String) {
        #expect(redact(body, "application/json").secrets.contains(Self.secret))
    }
}
