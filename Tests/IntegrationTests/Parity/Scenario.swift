import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// A server's behavior, and how a call for a user ends as a result.
struct Scenario: Sendable, CustomTestStringConvertible {
    enum Answer: Sendable {
        case http(_ status: Int, _ body: String, headers: HTTPHeaders = [:])
        case garbage, refusal, silence
    }

    var name: String
    var method = HTTPMethod.get
    var answer: Answer
    var ending: Ending

    var testDescription: String { name }
    var isCancelled: Bool { if case .silence = answer { true } else { false } }

    static let ada = #"{"id":7,"name":"Ada"}"#
    private static let problem = #"{"message":"no"}"#

    static let all: [Scenario] =
        [
            Scenario(name: "200 with JSON", answer: .http(200, ada), ending: .value(User(id: 7, name: "Ada"))),
            Scenario(name: "204", answer: .http(204, ""), ending: .error(.emptyBody, 204)),
            Scenario(name: "DELETE, 200", method: .delete, answer: .http(200, ""), ending: .error(.emptyBody, 200)),
            Scenario(name: "200 without a body", answer: .http(200, ""), ending: .error(.emptyBody, 200)),
            Scenario(name: "bad JSON", answer: .http(200, "{]"), ending: .error(.decoding, 200, body: "{]")),
            Scenario(
                name: "a missing key",
                answer: .http(200, #"{"id":7}"#),
                ending: .error(.decoding, 200, body: #"{"id":7}"#)
            ),
            Scenario(
                name: "no HTTP", answer: .garbage, ending: .error(.protocolViolation, failure: .protocolViolation)),
            Scenario(name: "refused", answer: .refusal, ending: .error(.connection, failure: .connect)),
            Scenario(name: "cancelled", answer: .silence, ending: .error(.cancelled)),
            // URLSession itself never ends this one.
            Scenario(
                name: "401 with a challenge",
                answer: .http(401, problem, headers: ["WWW-Authenticate": "Basic realm=x"]),
                ending: .error(.status, 401, body: problem)
            ),
        ]
        + [400, 401, 403, 404, 418, 500, 503, 600].map {
            Scenario(name: "\($0)", answer: .http($0, problem), ending: .error(.status, $0, body: problem))
        }
}

/// Everything that a caller can observe about a call's end.
struct Ending: Equatable {
    var value: User?
    var kind: NetworkError.Kind?
    var statusCode: Int?
    var transportFailure: TransportFailure?
    var body: String?

    static func value(_ user: User) -> Self { Self(value: user) }

    static func error(
        _ kind: NetworkError.Kind,
        _ statusCode: Int? = nil,
        failure: TransportFailure? = nil,
        body: String? = nil
    ) -> Self {
        Self(kind: kind, statusCode: statusCode, transportFailure: failure, body: body ?? statusCode.map { _ in "" })
    }
}

extension Ending {
    init(_ outcome: Result<User, NetworkError>) {
        switch outcome {
        case .success(let user): value = user
        case .failure(let error):
            kind = error.kind
            statusCode = error.statusCode
            transportFailure = error.transportFailure
            body = (error.response?.data).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
