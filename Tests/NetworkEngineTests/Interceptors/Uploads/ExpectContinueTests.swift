import Foundation
import NetworkEngine
import Testing

@Suite(.timeLimit(.minutes(5))) struct ExpectContinueTests {
    private func expectation(of body: RequestBody, _ headers: HTTPHeaders = [:]) async throws -> String? {
        let request = HTTPRequest(method: .put, url: API.base, headers: headers, body: body)
        return try await ExpectContinue().adapt(request, context: RequestContext()).headers["Expect"]
    }

    @Test(arguments: [(0, nil), ((1 << 20) - 1, nil), (1 << 20, "100-continue")] as [(Int, String?)])
    func `only a large body is asked for`(count: Int, expected: String?) async throws {
        #expect(try await expectation(of: .data(Data(count: count))) == expected)
        let stream = BodyStream(length: Int64(count)) { AsyncThrowingStream { $0.finish() } }
        #expect(try await expectation(of: .stream(stream)) == expected)
    }

    @Test func `a body of unknown length is asked for, none at all is not`() async throws {
        #expect(
            try await expectation(of: .stream(BodyStream { AsyncThrowingStream { $0.finish() } })) == "100-continue")
        #expect(try await expectation(of: .none) == nil)
    }

    @Test func `what was set by hand stays`() async throws {
        #expect(try await expectation(of: .data(Data(count: 2 << 20)), ["Expect": "x"]) == "x")
    }
}
