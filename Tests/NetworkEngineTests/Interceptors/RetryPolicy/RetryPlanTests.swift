import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// The decision alone, without engine and clock.
@Suite(.timeLimit(.minutes(5))) struct RetryPlanTests {
    private let policy = RetryPolicy(backoff: .exponential(base: .seconds(1)), random: { 1 })

    private func sent(_ method: HTTPMethod, key: String? = nil) -> HTTPRequest {
        HTTPRequest(method: method, url: API.base, headers: key.map { ["Idempotency-Key": $0] } ?? [:])
    }

    private func status(_ status: Int, _ request: HTTPRequest, after: String? = nil) -> NetworkError {
        let headers: HTTPHeaders = after.map { ["Retry-After": $0] } ?? [:]
        let response = HTTPResponse(statusCode: status, headers: headers, request: request)
        return NetworkError(kind: .status, response: response)
    }

    private func failure(_ failure: TransportFailure, _ request: HTTPRequest) -> NetworkError {
        NetworkError(failure, reason: "", request: request)
    }

    @Test(arguments: [HTTPMethod.get, .head, .options, .trace, .put, .delete, .query, .post, .patch, "PURGE"])
    func `the plan decides for every method and status`(method: HTTPMethod) {
        let retried = (100...599).filter { policy.plan(after: status($0, sent(method))) != nil }
        #expect(retried == (method.isIdempotent ? [408, 429, 500, 502, 503, 504] : []))
    }

    @Test(arguments: [TransportFailure.dns, .connect, .tls, .offline, .timeout(.connect), .timeout(.queue)])
    func `a request that never reached the server is retried for any method`(failure: TransportFailure) {
        for method in [HTTPMethod.get, .post, .patch] {
            #expect(policy.plan(after: self.failure(failure, sent(method)))?.cause == .neverApplied)
        }
    }

    @Test(arguments: [TransportFailure.lostBeforeResponse, .lostMidBody, .unknown, .timeout(.attempt), .timeout(.body)])
    func `a possibly processed request is repeated only if that is harmless`(failure: TransportFailure) {
        #expect(policy.plan(after: self.failure(failure, sent(.put)))?.cause == .transient)
        #expect(policy.plan(after: self.failure(failure, sent(.post))) == nil)
        #expect(policy.plan(after: self.failure(failure, sent(.post, key: "1")))?.cause == .transient)
    }

    @Test(arguments: [
        TransportFailure.tlsCertificate(.expired), .tlsCertificate(.pinMismatch), .protocolViolation, .contentCoding,
        .requestBody, .limitExceeded, .timeout(.deadline),
    ])
    func `a permanent failure is not retried`(failure: TransportFailure) {
        #expect(policy.plan(after: self.failure(failure, sent(.get))) == nil)
    }

    @Test(arguments: NetworkErrorKind.allCases)
    func `the kind of an error alone causes no retry`(kind: NetworkErrorKind) {
        #expect(policy.plan(after: NetworkError(kind: kind, request: sent(.get))) == nil)
    }

    @Test func `an idempotency key makes every method repeatable`() {
        #expect(policy.plan(after: status(503, sent(.post, key: "1"))) != nil)
        #expect(policy.plan(after: status(409, sent(.post, key: "1"))) != nil)
        #expect(policy.plan(after: status(409, sent(.post))) == nil)
        #expect(policy.plan(after: status(422, sent(.post, key: "1"))) == nil)
        #expect(policy.plan(after: status(503, sent(.post, key: ""))) == nil)
    }

    @Test func `a POST that a redirect turned into a GET counts as processed`() {
        #expect(policy.plan(after: status(503, sent(.get)), originalMethod: .post) == nil)
        #expect(policy.plan(after: failure(.connect, sent(.get)), originalMethod: .post) == nil)
        #expect(policy.plan(after: failure(.connect, sent(.post)), originalMethod: .post) != nil)
    }

    @Test func `a policy makes three attempts by default and five at most`() {
        func attempts(_ limit: Int) -> Int {
            var policy = policy
            policy.attemptLimit = limit
            return (1...9).first { policy.plan(after: status(503, sent(.get)), attempt: $0) == nil } ?? 0
        }
        #expect(RetryPolicy().attemptLimit == 3)
        #expect([-1, 0, 1, 2, 3, 5, 99].map(attempts) == [1, 1, 1, 2, 3, 5, 5])
    }

    @Test func `the delay is at least the Retry-After`() {
        #expect(policy.plan(after: status(503, sent(.get), after: "5"))?.pause == .seconds(5))
        #expect(policy.plan(after: status(503, sent(.get), after: "0"))?.pause == .seconds(1))
        #expect(policy.plan(after: status(500, sent(.get), after: "5"))?.pause == .seconds(5))
        #expect(policy.plan(after: status(503, sent(.get), after: "soon"))?.pause == .seconds(1))
    }

    @Test func `a random part is added to a Retry-After`() {
        let policy = RetryPolicy(random: { 0.5 })
        #expect(policy.plan(after: status(503, sent(.get), after: "8"))?.pause == .milliseconds(8400))
    }

    @Test func `a Retry-After beyond the cap ends the call at once`() {
        #expect(policy.plan(after: status(429, sent(.get), after: "20")) != nil)
        #expect(policy.plan(after: status(429, sent(.get), after: "21")) == nil)
        var patient = policy
        patient.maxRetryAfter = .seconds(60)
        #expect(patient.plan(after: status(429, sent(.get), after: "21"))?.pause == .seconds(21))
    }

    @Test func `a delay beyond the remaining time ends the call at once`() {
        #expect(policy.plan(after: status(503, sent(.get)), timeLeft: .seconds(1)) == nil)
        #expect(policy.plan(after: status(503, sent(.get)), timeLeft: .milliseconds(1001)) != nil)
        #expect(policy.plan(after: status(503, sent(.get), after: "9"), timeLeft: .seconds(9)) == nil)
    }

    @Test func `a throttled request has a base delay of one second`() {
        let quick = RetryPolicy(random: { 1 })
        #expect(quick.plan(after: status(500, sent(.get)))?.pause == .milliseconds(50))
        #expect(quick.plan(after: status(429, sent(.get)))?.pause == .seconds(1))
        #expect(quick.plan(after: status(503, sent(.get)))?.pause == .milliseconds(50))
        #expect(quick.plan(after: status(503, sent(.get), after: "0"))?.pause == .seconds(1))
    }
}

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

    /// Returns a plan's first incorrect property.
    private static func complaint(
        _ plan: RetryPlan,
        _ error: NetworkError,
        _ request: HTTPRequest,
        _ attempt: Int,
        _ timeLeft: Duration?,
        _ originalMethod: HTTPMethod?
    ) -> String? {
        let isKeyed = request.headers.contains("Idempotency-Key")
        let isHarmless = error.transportFailure.map { harmless.contains($0) } ?? false
        if !request.method.isIdempotent, !isKeyed, !isHarmless { return "what must not happen twice is repeated" }
        if originalMethod == .post, !isKeyed, !isHarmless { return "a POST is repeated" }
        if attempt >= 3 { return "attempt \(attempt + 1)" }
        if plan.pause < .zero || plan.pause > .seconds(22) { return "a pause of \(plan.pause)" }
        if let timeLeft, plan.pause >= timeLeft { return "it sleeps into the deadline" }
        guard let wish = error.retryAfter else { return nil }
        return plan.pause < wish || wish > .seconds(20) ? "asked for \(wish), waits \(plan.pause)" : nil
    }

    @Test func `in any situation a retry is harmless and in time`() {
        for seed in Schedules.seeds {
            var random = SeededGenerator(seed: seed)
            for _ in 0..<20 {
                let fraction = Double.random(in: 0...1, using: &random)
                let policy = RetryPolicy(random: { fraction })
                let request = Self.request(&random)
                let error = Self.error(request, &random)
                let attempt = Int.random(in: 1...5, using: &random)
                let timeLeft: Duration? =
                    Bool.random(using: &random) ? .milliseconds(Int.random(in: 0...9000, using: &random)) : nil
                let method: HTTPMethod? = Int.random(in: 0..<5, using: &random) == 0 ? .post : nil
                let plan = policy.plan(after: error, attempt: attempt, timeLeft: timeLeft, originalMethod: method)
                guard let plan else { continue }
                if let complaint = Self.complaint(plan, error, request, attempt, timeLeft, method) {
                    return complain("seed \(seed): \(complaint)")
                }
            }
        }
    }
}
