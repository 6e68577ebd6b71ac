import Foundation

extension RetryPolicy {
    /// Whether and when to repeat; depends on nothing but what it is given. The budget is not asked.
    package func plan(after error: NetworkError, _ circumstances: RetryCircumstances) -> RetryPlan? {
        guard circumstances.attempt < limit else { return nil }
        guard let cause = cause(of: error), isAllowed(cause, error.request, circumstances) else { return nil }
        let situation = Backoff.Situation(
            retry: circumstances.attempt - 1,
            previous: circumstances.previousPause,
            isThrottled: cause == .throttled
        )
        var pause = backoff.pause(situation, random: random)
        let wish = error.response.flatMap { RetryAfter.pause(in: $0.headers) { Int64(now().timeIntervalSince1970) } }
        if let wish {
            guard wish <= maxRetryAfter ?? backoff.cap else { return nil }
            // Not earlier than asked, and a little later, so that those who were asked together do not return in step.
            pause = max(pause, wish + min(wish / 10, .seconds(1)).scaled(by: 1 - random()))
        }
        if let timeLeft = circumstances.timeLeft, pause >= timeLeft { return nil }
        return RetryPlan(cause: cause, pause: pause)
    }

    private func cause(of error: NetworkError) -> RetryCause? {
        if let cause = RetryCause(error, statuses: statuses) { return cause }
        // The first request with this key is still being worked on.
        let isUnderway = error.kind == .status && error.statusCode == 409 && error.request?.hasIdempotencyKey == true
        return isUnderway ? .transient : nil
    }

    private func isAllowed(_ cause: RetryCause, _ sent: HTTPRequest?, _ circumstances: RetryCircumstances) -> Bool {
        if sent?.hasIdempotencyKey == true { return true }
        guard let sent else { return circumstances.originalMethod == nil }
        let original = circumstances.originalMethod ?? sent.method
        if methods.contains(original), methods.contains(sent.method) { return true }
        // A method that changed on the way was changed by an answer: the original request did arrive.
        return cause == .neverApplied && sent.method == original
    }
}
