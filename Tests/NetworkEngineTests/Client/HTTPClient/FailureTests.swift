import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct ClientFailureTests {
    private struct User: Decodable, Equatable, Sendable { var name: Name }
    private struct Name: Decodable, Equatable, Sendable { var first: String }

    @Test(arguments: [
        (400, StatusName.badRequest), (401, .unauthorized), (403, .forbidden), (404, .notFound), (500, .serverError),
        (418, nil), (599, nil), (302, nil),
    ])
    func `a status has a name or keeps its number, and the kind is status`(code: Int, name: StatusName?)
        async
    {
        let client = HTTPClient(MockTransport(.status(code)))
        let error = await #expect(throws: NetworkError.self) { try await client.send(.get("/")) }
        #expect(error?.kind == .status && error?.statusName == name && error?.statusCode == code)
    }

    @Test(arguments: ["https://", "ftp://x", "http://ho st/"], ClientStyle.allCases)
    func `an address that cannot be built fails without I/O`(path: String, style: ClientStyle) async {
        let mock = MockTransport(.json("{}"))
        let base = URL(string: path) ?? URL(fileURLWithPath: "/")
        let outcome = await style.outcome(of: .get("/x"), on: HTTPClient(mock, base: base), as: User.self)
        #expect(outcome.error?.kind == .invalidRequest && mock.requests.isEmpty)
    }

    @Test(arguments: ClientStyle.allCases)
    func `invalid JSON is a decoding error with coding path and cause`(style: ClientStyle) async {
        let client = HTTPClient(MockTransport(.json(#"{"name": {"first": 1}}"#)))
        let error = await style.outcome(of: .get("/"), on: client, as: User.self).error
        #expect(error?.kind == .decoding && error?.reason.contains("name.first") == true)
        #expect(error?.underlying is DecodingError)
    }

    @Test func `a rejected status has code, address, text and headers`() async throws {
        let client = HTTPClient(MockTransport(.status(404, headers: ["X-Why": "gone"], body: "no such user")))
        let error = try #require(await ClientStyle.awaited.outcome(of: .get("/u/7"), on: client, as: User.self).error)
        #expect(error.statusCode == 404 && error.request?.url.absoluteString == "http://api.test/v1/u/7")
        #expect(error.description.contains("404") && error.response?.headers["x-why"] == "gone")
        #expect(error.localizedDescription == "The requested item could not be found.")
    }

    @Test func `a network failure has its URLError`() async {
        let client = HTTPClient(MockTransport(.failure(URLError(.cannotFindHost))))
        let error = await ClientStyle.awaited.outcome(of: .get("/"), on: client, as: User.self).error
        #expect(error?.kind == .connection && (error?.underlying as? URLError)?.code == .cannotFindHost)
    }

    @Test func `a cancellation is canceled, not a network error`() async {
        let client = HTTPClient(MockTransport(.hang))
        let call = Task { await ClientStyle.awaited.outcome(of: .get("/"), on: client, as: User.self) }
        call.cancel()
        #expect(await call.value.error?.kind == .cancelled)
    }

    @Test func `a rejected status has code and body, and equal errors have equal bodies`() async throws {
        func failure(_ body: String) async -> NetworkError? {
            let client = HTTPClient(MockTransport(.status(422, body: body)))
            return await ClientStyle.awaited.outcome(of: .get("/"), on: client, as: User.self).error
        }
        let first = try #require(await failure("a"))
        #expect(first.statusCode == 422 && first.response?.data == Data("a".utf8))
        #expect(await failure("a") == first)
        #expect(await failure("b") != first)
    }
}
