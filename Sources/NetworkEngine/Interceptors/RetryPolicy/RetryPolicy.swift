public import Foundation

/// Advises to repeat what failed for reasons that pass, as often and as fast as the server can bear.
///
/// ```swift
/// let provider = NetworkProvider<UserAPI>(interceptor: RetryPolicy())
/// let patient = RetryPolicy(maxAttempts: 5, backoff: .exponential(base: .milliseconds(200), cap: .seconds(30)))
/// ```
/// Repeated are: failures before anything got to the server, for every method; lost connections, timeouts
/// and the `statuses`, for methods that may be repeated and for requests with an `Idempotency-Key`. Never repeated are
/// what was cancelled, certificates, broken protocol, what cannot be decoded, bodies that can be read once, and anything
/// beyond the call's deadline.
///
/// The engine counts attempts too: whichever of `maxAttempts` and the configuration's `attemptLimit` is smaller ends the
/// call. Inside an attempt that another policy retries, as when an interceptor calls another provider, this one does not.
public struct RetryPolicy: RequestInterceptor {
    /// Attempts in total, the first included; at most 5. The replay after a token refresh does not count.
    public var maxAttempts: Int
    public var backoff: Backoff
    /// What retries may cost each host; `nil` for no limit.
    public var budget: RetryBudget?
    /// The responses worth another attempt.
    public var statuses: Set<Int> = [408, 429, 500, 502, 503, 504]
    /// The methods that may be repeated even if the server has acted on the first attempt.
    public var methods: Set<HTTPMethod> = [.get, .head, .options, .trace, .put, .delete, .query]
    /// The longest `Retry-After` that is waited for; a longer one ends the call at once. The backoff's cap unless set.
    public var maxRetryAfter: Duration?
    /// A header that tells the server which attempt this is, as `attempt=2; max=3`; none unless named.
    public var attemptHeader: String?
    /// A last word on each retry, for servers that say it in their own way; `false` ends the call.
    public var mayRetry: @Sendable (NetworkError, RequestContext) -> Bool = { _, _ in true }
    /// From 0 to 1.
    public var random: @Sendable () -> Double
    /// The time of day, for a `Retry-After` in a response that does not say when it was sent.
    public var now: @Sendable () -> Date = { Date() }

    public init(
        maxAttempts: Int = 3,
        backoff: Backoff = .exponential(),
        budget: RetryBudget? = RetryBudget(),
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.maxAttempts = maxAttempts
        self.backoff = backoff
        self.budget = budget
        self.random = random
    }

    public var mayWait: Bool { false }

    /// Attempts in total, however many were asked for.
    package var limit: Int { min(maxAttempts, 5) }

    public func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        // A redirect or an interceptor further in may change the method; this is what a repetition begins with.
        if !methods.contains(request.method) { context.retryNote.method = request.method }
        var request = request
        if let attemptHeader { request.headers[attemptHeader] = "attempt=\(context.attempt); max=\(limit)" }
        let response = try await RetryLayer.$isInside.withValue(true) { [request] in try await next(request) }
        if response.statusCode < 400, let budget { Self.pay(budget, for: response, context) }
        return response
    }

    public func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
        guard !RetryLayer.isInside, !context.isLastAttempt else { return .doNotRetry }
        let note = context.retryNote
        let circumstances = RetryCircumstances(
            attempt: context.countedAttempt,
            timeLeft: context.timeLeft,
            originalMethod: note.method,
            previousPause: note.pause
        )
        guard let plan = plan(after: error, circumstances), mayRetry(error, context) else { return .doNotRetry }
        if let budget, !withdraw(plan, from: budget, for: error, context) { return .doNotRetry }
        context.retryNote.pause = plan.pause
        return plan.pause > .zero ? .retryAfter(plan.pause) : .retry
    }

    private func withdraw(
        _ plan: RetryPlan,
        from budget: RetryBudget,
        for error: NetworkError,
        _ context: RequestContext
    ) -> Bool {
        let cost = plan.cause == .throttled ? budget.throttledCost : budget.cost
        let host = error.request?.url.origin.text ?? ""
        guard budget.withdraw(cost, for: host) else { return false }
        context.retryNote.payment = RetryState.Payment(host: host, cost: cost)
        return true
    }

    /// The last retry's cost goes back when it has brought an answer; one at the first try earns a little.
    private static func pay(_ budget: RetryBudget, for response: HTTPResponse, _ context: RequestContext) {
        guard context.attempt > 1, let payment = context.retryNote.payment else {
            return budget.depositSuccess(of: response)
        }
        context.retryNote.payment = nil
        budget.deposit(payment.cost, for: payment.host)
    }
}
