import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation
@testable import NetworkEngineTesting

/// Requests with values that the recording redacts.
@Suite(.timeLimit(.minutes(5))) struct CassetteComparisonTests {
    private static let login = #"{"token": "kx7-29ab", "session": {"user_id": 1234567, "role": "customer"}}"#
    private static let form: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded"]
    private static let binary = Endpoint.post("/a").body(Data([0xC3, 1]) + Data("kx7-29ab".utf8))

    private static func post(_ body: String, _ headers: HTTPHeaders = [:]) -> Endpoint {
        .post("/a", headers: headers).body(Data(body.utf8))
    }

    /// A request, the recorded one, and the difference.
    private static let samples: [(Endpoint, Endpoint, String?)] = [
        (.get("/customers/1234567"), .get("/customers/1234567"), nil),
        (.get("/customers/0"), .get("/customers/1234567"), nil),
        (.get("/a/1.json"), .get("/a/kx7-29ab.json"), nil),
        (.get("/a/1.xml"), .get("/a/kx7-29ab.json"), #"the path is "/a/1.xml", not "/a/%3Credacted%3E.json""#),
        (.get("/a/1/b"), .get("/a/kx7-29ab"), #"the path is "/a/1/b", not "/a/%3Credacted%3E""#),
        (.get("/a/"), .get("/a/kx7-29ab"), #"the path is "/a/", not "/a/%3Credacted%3E""#),
        (.get("/a?page=5"), .get("/a?page=1234567"), nil),
        (
            .get("/a?page=5&sort=x"), .get("/a?page=1234567&sort=y"),
            #"the query is "page=5&sort=x", not "page=<redacted>&sort=y""#
        ),
        (
            post(#"{"n": 1, "owner": 0, "tags": ["x"]}"#),
            post(#"{"owner": 1234567, "tags": ["kx7-29ab"], "n": 1}"#), nil
        ),
        (
            post(#"{"n": 2, "owner": 0}"#), post(#"{"owner": 1234567, "n": 1}"#),
            #"the body is "{\"n\":2,\"owner\":0}", not "{\"n\":1,\"owner\":\"<redacted>\"}""#
        ),
        (post(#"{"b7": true, "a": 1}"#), post(#"{"kx7-29ab": true, "a": 1}"#), nil),
        (
            post(#"{"a": 1}"#), post(#"{"kx7-29ab": true, "a": 1}"#),
            #"the body is "{\"a\":1}", not "{\"<redacted>\":true,\"a\":1}""#
        ),
        (post("a=1&b=2", form), post("a=kx7-29ab&b=2", form), nil),
        (post("see 1 aa aab 2"), post("see kx7-29ab aab kx7-29ab"), nil),
        (.post("/a").body(Data([0xC3, 1, 9])), binary, nil),
    ]

    @Test(arguments: samples)
    func `a value that a response hides agrees with any in its place`(
        endpoint: Endpoint, recorded: Endpoint, difference: String?
    ) async throws {
        let studio = try Studio()
        let recorder = Studio.client(try studio.cassette(), MockTransport(.json(Self.login), .text("found")))
        for endpoint in [Endpoint.post("/login"), recorded] { _ = try await Studio.hear(recorder, endpoint).get() }
        #expect(try !studio.text.contains("kx7-29ab") && !studio.text.contains("1234567"))
        let player = Studio.client(try studio.cassette(.none) { $0.matching.parts.insert(.body) })
        let reason = await Studio.hear(player, endpoint).error?.reason
        #expect(reason?.components(separatedBy: "): ").last == difference)
    }

    @Test func `an exchange with a hidden value is recorded once`() async throws {
        let studio = try Studio()
        for _ in 1...2 {
            let live = MockTransport(.json(#"{"token": "kx7-29ab"}"#))
            let client = Studio.client(try studio.cassette(.newEpisodes), live)
            _ = try await Studio.hear(client, .get("/invites/kx7-29ab")).get()
        }
        #expect(try HARFile(Data(contentsOf: studio.file)).log.entries.count == 1)
    }

    @Test func `a request with a placeholder is not the recorded one that has a value there`() async throws {
        let studio = try Studio()
        try studio.write(
            #"{"log": {"entries": [{"request": {"method": "GET", "url": "https://api.test/a/index.json"}, "#
                + #""response": {"status": 200, "content": {"text": "index"}}}]}}"#)
        let client = Studio.client(try studio.cassette(.none))
        let token = "aB3dE5gH7jK9mN1pQ3sTuV5xY7zA9bC1dE3fG5hJ"
        #expect(await Studio.hear(client, .get("/a/\(token)")).error?.reason.contains("the path is") == true)
    }

    @Test(arguments: [
        (["/a/%3Credacted%3E", "/a/2"], ["/a/2", "/a/1"]),
        (["/%3Credacted%3Es/%3Credacted%3E", "/orders/%3Credacted%3E"], ["/orders/7", "/customers/7"]),
    ])
    func `of the exchanges that match, that with the fewest placeholders is played`(
        recorded: [String], requested: [String]
    ) async throws {
        let studio = try Studio()
        let entries = recorded.map { path in
            #"{"request": {"method": "GET", "url": "https://api.test\#(path)"}, "#
                + #""response": {"status": 200, "content": {"text": "\#(path)"}}}"#
        }
        try studio.write(#"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#)
        let client = Studio.client(try studio.cassette(.none))
        var heard: [String] = []
        for path in requested { heard.append(try await Studio.hear(client, .get(path)).get()) }
        #expect(heard == recorded.reversed())
    }
}
