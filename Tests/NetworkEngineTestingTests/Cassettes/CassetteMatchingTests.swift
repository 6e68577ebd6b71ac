import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct CassetteMatchingTests {
    /// Records one request, and returns the reason why another doesn't match it.
    private func refusal(
        of endpoint: Endpoint,
        recorded: Endpoint,
        _ change: (inout CassetteMatching) -> Void
    ) async throws -> String? {
        let studio = try Studio()
        let recording = Studio.client(try studio.cassette(), MockTransport(.status(200)))
        _ = try await Studio.hear(recording, recorded).get()
        let cassette = try studio.cassette(.none) { change(&$0.matching) }
        return await Studio.hear(Studio.client(cassette), endpoint).error?.reason
    }

    private static let form: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded"]

    @Test(
        arguments: [
            (Endpoint.get("/a?x=1&y=2"), Endpoint.get("/a?y=2&x=1"), nil),
            (.get("/a?page=1&page=2"), .get("/a?page=2&page=1"), #"the query is "page=1&page=2", not "page=2&page=1""#),
            (
                .get("/a?x=1"), .get("/a?x=2"),
                #"the query is "x=<redacted:6b86b2>", not "x=<redacted:d4735e>""#
            ),
            (
                .get("/a?fields=a&sort=b"), .get("/a?fields=a%26sort%3Db"),
                #"the query is "fields=a&sort=b", not "fields=a%26sort%3Db""#
            ),
            (.get("/a"), .post("/a"), #"the method is "GET", not "POST""#),
            (.get("https://b.test/a"), .get("/a"), #"the origin is "https://b.test", not "https://api.test""#),
            (.get("/a?t=1"), .get("/a?t=2"), nil), (.get("/a?t=1"), .get("/a"), nil),
            (
                .post("/a").body(Data(#"{"b": 1.0, "a": [1]}"#.utf8)),
                .post("/a").body(Data(#"{"a":[1],"b":1,"t":5}"#.utf8)),
                nil
            ),
            (
                .post("/a").body(Data(#"{"a": 1}"#.utf8)), .post("/a").body(Data(#"{"a":2}"#.utf8)),
                #"the body is "{\"a\":1}", not "{\"a\":2}""#
            ),
            (
                .post("/a", headers: Self.form).body(Data("b=2&a=1&t=9".utf8)),
                .post("/a", headers: Self.form).body(Data("a=1&b=2".utf8)), nil
            ),
            (
                .post("/a", headers: Self.form).body(Data("a=1&b=2".utf8)),
                .post("/a", headers: Self.form).body(Data("a=1%26b%3D2".utf8)),
                #"the body is "a=1&b=2", not "a=1%26b%3D2""#
            ),
            (.post("/a").body(Data("x".utf8)), .post("/a").body(Data("y".utf8)), #"the body is "x", not "y""#),
            (.get("/a", headers: ["X-V": "1"]), .get("/a"), #"header X-V is "1", not missing"#),
        ] as [(Endpoint, Endpoint, String?)])
    func `required parts are compared, and differences are explained`(
        endpoint: Endpoint, recorded: Endpoint, difference: String?
    ) async throws {
        let reason = try await refusal(of: endpoint, recorded: recorded) {
            $0 = CassetteMatching([.method, .url, .body])
            $0.ignoredParameters = ["t"]
            $0.headers = ["X-V"]
        }
        #expect(reason?.components(separatedBy: "): ").last == difference)
    }

    @Test func `optional parts may differ`() async throws {
        let endpoint = Endpoint.post("/a?x=1", headers: ["X-V": "1"]).body(Data("x".utf8))
        #expect(try await refusal(of: endpoint, recorded: .get("/b")) { $0.parts = .origin } == nil)
        #expect(try await refusal(of: endpoint, recorded: .post("/a?x=1")) { _ in } == nil)
    }

    @Test func `a custom condition also decides`() async throws {
        let reason = try await refusal(of: .get("/a"), recorded: .get("/a")) {
            $0.condition = { request, recorded in request.url != recorded.url }
        }
        #expect(reason?.hasSuffix("its condition is not met") == true)
    }
}
