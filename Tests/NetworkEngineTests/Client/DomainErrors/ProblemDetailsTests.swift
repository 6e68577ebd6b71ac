import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct ProblemDetailsTests {
    private func error(_ body: String, type: String = "application/problem+json") -> NetworkError {
        NetworkError(kind: .status, response: .sample(body, status: 422, type: type))
    }

    @Test func `a problem has the members of the server, also extensions`() throws {
        let body =
            #"{"type": "urn:x", "title": "T", "status": 422, "detail": "D", "instance": "/i", "balance": 30, "a": ["b"]}"#
        let problem = try #require(error(body).problem)
        #expect(problem.type == "urn:x" && problem.title == "T" && problem.status == 422)
        #expect(problem.detail == "D" && problem.instance == "/i")
        #expect(problem.member("balance", as: Int.self) == 30 && problem.member("a") == ["b"])
        #expect(problem.member("balance", as: String.self) == nil && problem.member("none", as: Int.self) == nil)
    }

    @Test func `a missing member or one of a wrong type counts as absent`() throws {
        let problem = try #require(error(#"{"title": 7, "status": "x", "detail": null}"#).problem)
        #expect(problem.type == "about:blank" && problem.title == nil && problem.status == nil && problem.detail == nil)
    }

    @Test(arguments: [
        ("{}", "application/json"), ("[]", "application/problem+json"), ("no", "application/problem+json"),
    ])
    func `any other body is not a problem`(body: String, type: String) {
        #expect(error(body, type: type).problem == nil)
    }

    @Test(arguments: ["Application/Problem+JSON;charset=utf-8", "application/problem+json ; a=b"])
    func `the content type is recognized in any case and with parameters`(type: String) {
        #expect(error("{}", type: type).problem != nil)
    }

    private struct SignUp: TypedErrorTarget {
        struct ErrorBody: Decodable, Sendable, Equatable { var fieldNames: [String] }
        var baseURL: URL { API.base }
        var path: String { "/" }
        var method: HTTPMethod { .post }
        var task: NetworkTask { .requestPlain }
        var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy { .convertFromSnakeCase }
    }

    @Test func `the body of a failure is decoded as the target's type`() async throws {
        let provider = NetworkProvider<SignUp>(MockTransport(.json(#"{"field_names": ["mail"]}"#, status: 422)))
        let error = await #expect(throws: NetworkError.self) { try await provider.request(SignUp()) }
        #expect(error?.body(for: SignUp()) == SignUp.ErrorBody(fieldNames: ["mail"]))
        #expect(error?.body(as: [String: [String]].self) == ["field_names": ["mail"]])
        #expect(error?.body(as: Int.self) == nil && NetworkError(kind: .offline).body(for: SignUp()) == nil)
    }
}
