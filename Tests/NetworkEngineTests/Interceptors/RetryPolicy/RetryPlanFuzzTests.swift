import Foundation
import NetworkEngine
import NetworkEngineTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct RetryPlanFuzzTests {
    private static let failures: [TransportFailure] = [
        .dns, .connect, .tls, .offline, .lostBeforeResponse, .lostMidBody, .unknown, .protocolViolation, .contentCoding,
        .requestBody, .limitExceeded, .tlsCertificate(.expired), .timeout(.connect), .timeout(.queue),
        .timeout(.attempt),
        .timeout(.response), .timeout(.body), .timeout(.deadline),
    ]
    private static let harmless: Set<TransportFailure> = [
        .dns, .connect, .tls, .offline, .timeout(.connect), .timeout(.queue),
    ]
    private static let methods: [HTTPMethod] = [.get, .head, .put, .delete, .post, .patch]

    private static func request(_ random: inout SeededGenerator) -> HTTPRequest {
        let headers: HTTPHeaders = Bool.random(using: &random) ? ["Idempotency-Key": "1"] : [:]
        return HTTPRequest(method: methods.randomElement(using: &random) ?? .get, url: API.base, headers: headers)
    }

    private static func error(_ request: HTTPRequest, _ random: inout SeededGenerator) -> NetworkError {
        if Bool.random(using: &random), let failure = failures.randomElement(using: &random) {
            return NetworkError(failure, reason: "", request: request)
        }
        let statuses = [400, 401, 404, 408, 409, 422, 429, 500, 501, 502, 503, 504]
        var headers: HTTPHeaders = [:]
        if Bool.random(using: &random) { headers["Retry-After"] = "\(Int.random(in: -1...40, using: &random))" }
        let status = statuses.randomElement(using: &random) ?? 500
        let response = HTTPResponse(statusCode: status, headers: headers, request: request)
        return NetworkError(kind: .status, request: request, response: response)
    }

    /// What is wrong with a plan.
    private static func complaint(
        _ plan: RetryPlan,
        _ error: NetworkError,
        _ request: HTTPRequest,
        _ known: RetryCircumstances
    ) -> String? {
        let isKeyed = request.headers.contains("Idempotency-Key")
        let isHarmless = error.transportFailure.map { harmless.contains($0) } ?? false
        if !request.method.isIdempotent, !isKeyed, !isHarmless { return "what must not happen twice is repeated" }
        if known.originalMethod == .post, !isKeyed, !isHarmless { return "a POST is repeated" }
        if known.attempt >= 3 { return "attempt \(known.attempt + 1)" }
        if plan.pause < .zero || plan.pause > .seconds(22) { return "a pause of \(plan.pause)" }
        if let timeLeft = known.timeLeft, plan.pause >= timeLeft { return "it sleeps into the deadline" }
        guard let wish = error.retryAfter else { return nil }
        return plan.pause < wish || wish > .seconds(20) ? "asked for \(wish), waits \(plan.pause)" : nil
    }

    @Test func `R1 to R5: in any circumstances no retry does harm, comes too early, or too late`() {
        for seed in Schedules.seeds {
            var random = SeededGenerator(seed: seed)
            for _ in 0..<20 {
                let fraction = Double.random(in: 0...1, using: &random)
                let policy = RetryPolicy(random: { fraction })
                let request = Self.request(&random)
                let error = Self.error(request, &random)
                let known = RetryCircumstances(
                    attempt: Int.random(in: 1...5, using: &random),
                    timeLeft: Bool.random(using: &random)
                        ? .milliseconds(Int.random(in: 0...9000, using: &random)) : nil,
                    originalMethod: Int.random(in: 0..<5, using: &random) == 0 ? .post : nil
                )
                guard let plan = policy.plan(after: error, known) else { continue }
                if let complaint = Self.complaint(plan, error, request, known) {
                    return complain("seed \(seed): \(complaint)")
                }
            }
        }
    }
}
