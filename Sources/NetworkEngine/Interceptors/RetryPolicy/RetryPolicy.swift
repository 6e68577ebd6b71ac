public import Foundation

/// Retries requests that failed for a temporary reason, without overloading the server.
///
/// ```swift
/// let provider = NetworkProvider<UserAPI>(interceptor: RetryPolicy())
/// let patient = RetryPolicy(attemptLimit: 5, backoff: .exponential(base: .milliseconds(200), cap: .seconds(30)))
/// ```
/// The policy retries requests of every method that failed before any part of them reached the server. It retries lost
/// connections, timeouts and the `statuses` for methods that are safe to repeat, and for requests with an
/// `Idempotency-Key`. It never retries canceled calls, rejected certificates, protocol violations, decoding failures,
/// bodies that can be read only once, and anything after the call's deadline.
///
/// An `attemptLimit` set in the configuration also applies. A policy does nothing inside an attempt that another policy
/// retries, such as a call that an interceptor makes with another provider.
public struct RetryPolicy: RequestInterceptor, NonAdaptingInterceptor, ComposedInterceptor, RepeatingInterceptor {
    /// The maximum number of attempts, including the first; at most 5. A replay after a token refresh does not count.
    public var attemptLimit: Int
    /// Computes the delay before each retry; by default exponential with random jitter.
    public var backoff: Backoff
    /// Limits the retries for each host; `nil` for no limit.
    public var budget: RetryBudget?
    /// The statuses that are retried.
    public var statuses: Set<Int> = [408, 429, 500, 502, 503, 504]
    /// The statuses that mean the server rejected a request without processing it; none by default.
    ///
    /// ```swift
    /// policy.refusalStatuses = [429]  // the server counts a call before it executes it
    /// ```
    /// After such a status, requests of every method are retried, even without an `Idempotency-Key`. Add a status only
    /// if the server's documentation guarantees this. Otherwise a retry could execute a request twice.
    public var refusalStatuses: Set<Int> = []
    /// The methods that can be repeated even if the server has processed the first attempt.
    public var methods: Set<HTTPMethod> = [.get, .head, .options, .trace, .put, .delete, .query]
    /// The longest accepted `Retry-After`. If it is exceeded, the call fails immediately. The default is the backoff's
    /// cap.
    public var maxRetryAfter: Duration?
    /// The header that sends the attempt number to the server, as `attempt=2; max=3`; `nil` for none.
    public var attemptHeader: String?
    /// Decides on each suggested retry. `false` fails the call.
    public var mayRetry: @Sendable (NetworkError, RequestContext) -> Bool = { _, _ in true }
    /// Returns a random number from 0 to 1.
    public var random: @Sendable () -> Double
    /// Returns the time of day, for a `Retry-After` date in a response without a `Date`.
    public var now: @Sendable () -> Date = { Date() }

    /// Creates a policy; by default with a budget that only its copies share.
    public init(
        attemptLimit: Int = 3,
        backoff: Backoff = .exponential(),
        budget: RetryBudget? = RetryBudget(),
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.attemptLimit = attemptLimit
        self.backoff = backoff
        self.budget = budget
        self.random = random
    }

    package static let compositionRules: [CompositionRule] = [
        .unique,
        .follows(OfflinePolicy.self, because: "the retries would be used up before there is a network"),
    ]

    public var mayWait: Bool { false }

    /// The effective maximum number of attempts.
    package var limit: Int { min(attemptLimit, 5) }

    public func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        // A redirect or an inner interceptor can change the method. A retry starts with this one.
        if !methods.contains(request.method) { context.retryState.method = request.method }
        var request = request
        if let attemptHeader { request.headers[attemptHeader] = "attempt=\(context.attempt); max=\(limit)" }
        let response = try await RetryScope.$isInside.withValue(true) { [request] in try await next(request) }
        // A cached response does not prove a healthy host.
        if response.statusCode < 400, response.source != .cache, let budget { Self.pay(budget, for: response, context) }
        return response
    }

    public func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
        guard !RetryScope.isInside, !context.isLastAttempt else { return .doNotRetry }
        let state = context.retryState
        let plan = plan(
            after: error,
            attempt: context.countedAttempt,
            timeLeft: context.timeLeft,
            originalMethod: state.method,
            previousPause: state.previousPause
        )
        guard let plan, mayRetry(error, context) else { return .doNotRetry }
        if let budget, !withdraw(plan, from: budget, for: error, context) { return .doNotRetry }
        context.retryState.previousPause = plan.pause
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
        context.retryState.payment = RetryState.Payment(host: host, cost: cost)
        return true
    }

    /// Refunds the cost of a retry that succeeded. A success on the first attempt earns a little.
    private static func pay(_ budget: RetryBudget, for response: HTTPResponse, _ context: RequestContext) {
        guard context.attempt > 1, let payment = context.retryState.payment else {
            return budget.depositSuccess(of: response)
        }
        context.retryState.payment = nil
        budget.deposit(payment.cost, for: payment.host)
    }
}

extension RetryPolicy {
    /// Returns whether and when to retry a request; a pure function that ignores the budget.
    ///
    /// - Parameters:
    ///   - attempt: the attempt that failed, starting with 1.
    ///   - originalMethod: the original request's method, if it must not be repeated.
    func plan(
        after error: NetworkError,
        attempt: Int = 1,
        timeLeft: Duration? = nil,
        originalMethod: HTTPMethod? = nil,
        previousPause: Duration? = nil
    ) -> RetryPlan? {
        guard attempt < limit, let cause = cause(of: error), isAllowed(cause, error, originalMethod) else { return nil }
        let isThrottled = cause == .throttled
        var pause = backoff.pause(
            retry: attempt - 1, previous: previousPause, isThrottled: isThrottled, random: random)
        let minimum = error.response.flatMap { RetryAfter.pause(in: $0.headers) { Int64(now().timeIntervalSince1970) } }
        if let minimum {
            guard minimum <= maxRetryAfter ?? backoff.cap else { return nil }
            // A random delay is added, so that clients with the same `Retry-After` do not all return at the same time.
            pause = max(pause, minimum + min(minimum / 10, .seconds(1)).scaled(by: 1 - random()))
        }
        if let timeLeft, pause >= timeLeft { return nil }
        return RetryPlan(cause: cause, pause: pause)
    }

    private func cause(of error: NetworkError) -> RetryCause? {
        let statuses = refusalStatuses.isEmpty ? statuses : statuses.union(refusalStatuses)
        if let cause = RetryCause(error, statuses: statuses) { return cause }
        // The server is still processing the first request with this key.
        let isInProgress = error.kind == .status && error.statusCode == 409 && error.request?.hasIdempotencyKey == true
        return isInProgress ? .transient : nil
    }

    private func isAllowed(_ cause: RetryCause, _ error: NetworkError, _ originalMethod: HTTPMethod?) -> Bool {
        let sent = error.request
        if sent?.hasIdempotencyKey == true { return true }
        guard let sent else { return originalMethod == nil }
        let original = originalMethod ?? sent.method
        if methods.contains(original), methods.contains(sent.method) { return true }
        // A different method is the result of a redirect: the original request reached the server.
        return (cause == .neverApplied || isRefusal(error)) && sent.method == original
    }
}

extension RetryPolicy {
    /// Whether the server did not process the request, according to the app's `refusalStatuses`.
    private func isRefusal(_ error: NetworkError) -> Bool {
        error.kind == .status && error.statusCode.map(refusalStatuses.contains) == true
    }
}

/// Marks tasks that run inside an attempt of a retried call.
enum RetryScope {
    /// Whether an outer policy retries this task's work.
    ///
    /// Retries on several layers multiply: three layers turn one failure into 27 requests.
    @TaskLocal package static var isInside = false
}
