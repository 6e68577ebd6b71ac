import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct EmptyAnswerTests {
    private struct User: Decodable, Equatable, Sendable { var id: Int }

    @Test(arguments: ClientStyle.allCases)
    func `a 204 is nil, even with a body`(style: ClientStyle) async throws {
        let client = HTTPClient(MockTransport(.status(204, body: "not JSON").repeating()))
        #expect(try await style.outcome(of: .get("/"), on: client, as: User?.self).get() == nil)
        #expect(try await style.outcome(of: .get("/"), on: client, as: EmptyBody.self).get() == EmptyBody())
        #expect(try await client.request(.get("/"), decoding: .nothing) == ())
    }

    @Test(arguments: ClientStyle.allCases, [200, 202, 204])
    func `a DELETE without a body is nil`(style: ClientStyle, status: Int) async throws {
        let client = HTTPClient(MockTransport(.status(status)))
        #expect(try await style.outcome(of: .delete("/users/7"), on: client, as: User?.self).get() == nil)
    }

    @Test(arguments: [204, 200]) func `the parser is not called without a body`(status: Int) async throws {
        let client = HTTPClient(MockTransport(.status(status, body: status == 204 ? "x" : "")))
        let parsed = try await client.request(
            .get("/"),
            decoding: .optional(
                .custom { _, _ in
                    Issue.record("the parser was asked")
                    return 1
                }))
        #expect(parsed == nil)
    }

    @Test func `the parser is called with a body`() async throws {
        let client = HTTPClient(MockTransport(.status(200, body: "123")))
        #expect(try await client.request(.get("/"), decoding: .optional(.custom { data, _ in data.count })) == 3)
    }

    @Test(arguments: ClientStyle.allCases)
    func `missing data where a value is expected is an empty-body error`(style: ClientStyle) async {
        let client = HTTPClient(MockTransport(.status(200)))
        #expect(await style.outcome(of: .get("/"), on: client, as: User.self).error?.kind == .emptyBody)
    }
}
