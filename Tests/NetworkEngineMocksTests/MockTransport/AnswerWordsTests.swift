import Foundation
import NetworkEngineMocks
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// The factories that mock transports, mock clients and loopback servers share.
@Suite(.timeLimit(.minutes(5))) struct AnswerWordsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var mock: MockAnswer
        var loopback: LoopbackResponse
        var client: ClientAnswer?
    }

    private static let user = ["name": "Ada"]
    private static let bytes = Data([1, 2, 3])
    static let cases = [
        Case(
            testDescription: "status",
            mock: .status(201, headers: ["ETag": "x"], body: "made"),
            loopback: .status(201, headers: ["ETag": "x"], body: "made"),
            client: .status(201, headers: ["ETag": "x"], body: "made")),
        Case(testDescription: "empty", mock: .empty, loopback: .empty, client: .empty),
        Case(
            testDescription: "data",
            mock: .data(bytes, type: "image/png", status: 203, headers: ["ETag": "x"]),
            loopback: .data(bytes, type: "image/png", status: 203, headers: ["ETag": "x"]),
            client: .data(bytes, type: "image/png", status: 203, headers: ["ETag": "x"])),
        Case(
            testDescription: "data without a type",
            mock: .data(bytes), loopback: .data(bytes, type: nil), client: .data(bytes)),
        Case(
            testDescription: "text",
            mock: .text("hello", status: 202, headers: ["ETag": "x"]),
            loopback: .text("hello", status: 202, headers: ["ETag": "x"]),
            client: .text("hello", status: 202, headers: ["ETag": "x"])),
        Case(
            testDescription: "JSON as text",
            mock: .json("[1]", status: 202, headers: ["Content-Type": "application/geo+json"]),
            loopback: .json("[1]", status: 202, headers: ["Content-Type": "application/geo+json"]),
            client: .json("[1]", status: 202, headers: ["Content-Type": "application/geo+json"])),
        Case(
            testDescription: "JSON of a value",
            mock: .json(user, status: 202, headers: ["ETag": "x"]),
            loopback: .json(user, status: 202, headers: ["ETag": "x"]),
            client: .json(user, status: 202, headers: ["ETag": "x"])),
        Case(
            testDescription: "redirect",
            mock: .redirect(to: "/b", status: 307, headers: ["ETag": "x"]),
            loopback: .redirect(to: "/b", status: 307, headers: ["ETag": "x"])),
        Case(
            testDescription: "additional header fields",
            mock: .text("hello", headers: ["Link": "a"]).header("Link", "b").header("Age", "1"),
            loopback: .text("hello", headers: ["Link": "a"]).header("Link", "b").header("Age", "1")),
        Case(
            testDescription: "fields after the body",
            mock: .text("hello").trailers(["X-Sum": "5"]), loopback: .text("hello").trailers(["X-Sum": "5"])),
    ]

    @Test(arguments: cases) func `a word gives the same response in a mock transport and a loopback server`(
        _ example: Case
    ) async throws {
        let response = try await MockTransport(example.mock).ask()
        #expect(response.statusCode == example.loopback.status)
        #expect(response.headers == example.loopback.headers)
        #expect((response.trailers ?? [:]) == example.loopback.trailers)
        guard case .data(let body) = example.loopback.body else { throw CancellationError() }
        #expect(response.data == body)
    }

    @Test(arguments: cases) func `a word gives the same body in a mock transport and a mock client`(
        _ example: Case
    ) async throws {
        guard let answer = example.client else { return }
        let expected = try await MockTransport(example.mock).ask().data
        let body: Data = try await HTTPClientMock(answer).request(.get("/"))
        #expect(body == expected)
    }

    private static let fields = ["ETag": "x"]
    private static let optional: [String: String]? = fields

    @Test(
        arguments: [
            .status(201, headers: fields, body: "made"), .data(bytes, type: "image/png", headers: fields),
            .data(bytes, headers: optional), .text("hello", headers: fields), .json("[1]", headers: optional),
            .json(user, headers: fields), .redirect(to: "/b", headers: fields),
        ] as [MockAnswer])
    func `the headers of a mock answer can be a dictionary`(_ answer: MockAnswer) async throws {
        #expect(try await MockTransport(answer).ask().headers["ETag"] == "x")
    }

    @Test(
        arguments: [
            .status(201, headers: fields, body: "made"), .data(bytes, type: "image/png", headers: fields),
            .data(bytes, headers: optional), .text("hello", headers: fields), .json("[1]", headers: optional),
            .json(user, headers: fields),
        ] as [ClientAnswer])
    func `the headers of the answer of a mock client can be a dictionary`(_ answer: ClientAnswer) async throws {
        let response = try await HTTPClientMock(answer).request(TypedEndpoint(.get("/"), decoding: .response))
        #expect(response.headers["ETag"] == "x")
    }

    @Test(
        arguments: [
            .status(201, headers: fields, body: "made"), .data(bytes, type: "image/png", headers: fields),
            .data(bytes, headers: optional), .text("hello", headers: fields), .json("[1]", headers: optional),
            .json(user, headers: fields), .redirect(to: "/b", headers: fields),
            LoopbackResponse(status: 200, headers: fields), LoopbackResponse(headers: optional),
        ] as [LoopbackResponse])
    func `the headers of a loopback response can be a dictionary`(_ response: LoopbackResponse) throws {
        #expect(response.headers["ETag"] == "x")
        #expect(response.trailers(Self.fields).trailers["ETag"] == "x")
        let interim = response.interim(103, headers: Self.fields).interim + [.init(103, headers: Self.fields)]
        #expect(interim.allSatisfy { $0.headers["ETag"] == "x" } && interim.count == 2)
    }

    @Test func `a literal of headers can contain a name twice`() {
        let name = "Link"
        let responses: [LoopbackResponse] = [
            .text("a", headers: [name: "a", name: "b"]), .json("[]", headers: [name: "a", name: "b"]),
            .json([1], headers: [name: "a", name: "b"]), .status(200, headers: [name: "a", name: "b"]),
            .data(Self.bytes, headers: [name: "a", name: "b"]), LoopbackResponse(headers: [name: "a", name: "b"]),
            .redirect(to: "/", headers: [name: "a", name: "b"]),
        ]
        #expect(responses.allSatisfy { $0.headers.values(for: name) == ["a", "b"] })
    }

    @Test func `a header field is added to a computed answer, too`() async throws {
        let mock = MockTransport(.handler { _ in .status(200, headers: ["Age": "1"]) }.header("Age", "2"))
        #expect(try await mock.ask().headers.values(for: "Age") == ["1", "2"])
    }

    @Test func `a value that cannot be encoded is status 500 of a loopback server`() {
        #expect(LoopbackResponse.json(Double.nan).status == 500)
    }
}
