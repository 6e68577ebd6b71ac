import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// How a transport reports a rejection when no credential exists.
@Suite(.serialized, .timeLimit(.minutes(5))) struct AuthenticationFaults {
    private static func refusal(_ status: Int, _ name: String, _ value: String?) -> FaultCase {
        var answer = LoopbackResponse.text("denied", status: status)
        if let value { answer = answer.header(name, value) }
        return FaultCase(
            "\(status), \(value ?? "no challenge")", answer,
            expecting: .ends(.response(status, "denied")).reuses(true)
        )
    }

    static let cases = [
        refusal(401, "WWW-Authenticate", "Basic realm=\"x\""), refusal(401, "WWW-Authenticate", "Bearer"),
        refusal(401, "WWW-Authenticate", "Bearer, Basic realm=\"x\""), refusal(401, "WWW-Authenticate", nil),
        refusal(401, "WWW-Authenticate", "Digest realm=\"x\", nonce=\"1\""),
        refusal(401, "WWW-Authenticate", "Negotiate"),
        refusal(403, "WWW-Authenticate", nil), refusal(407, "Proxy-Authenticate", "Basic realm=\"x\""),
        refusal(407, "Proxy-Authenticate", nil),
    ]

    @Test(arguments: cases, Wire.all)
    func `a 401, 403 or 407 is a response, with any challenge`(fault: FaultCase, wire: Wire) async throws {
        try await FaultRun.check(fault, over: wire)
    }
}
