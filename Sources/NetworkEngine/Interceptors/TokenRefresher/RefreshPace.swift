/// Decides when a refresh may start. A pure state machine.
///
/// Successful refreshes are limited, because a server may reject the credentials that it issues. Failed refreshes are
/// followed by a delay; calls during that time fail with the reason of the last failure.
struct RefreshPace: Sendable {
    private let options: RefreshOptions
    private var successes: [Duration] = []
    /// The number of failures since the last success.
    private var failures = 0
    /// The time before which no refresh starts.
    private var retryTime: Duration?
    private(set) var lastFailure = RefreshFailure.signedOut

    init(_ options: RefreshOptions) { self.options = options }

    /// Returns the reason why no refresh may start; `nil` if one may.
    mutating func refusal(at now: Duration) -> RefreshFailure? {
        if let retryTime, now < retryTime { return lastFailure }
        let window = options.excessWindow.bounded
        successes.removeAll { $0 + window <= now }
        return successes.count < options.excessLimit ? nil : .excessiveRefresh
    }

    mutating func succeeded(at now: Duration) {
        successes.append(now)
        forgetFailures()
    }

    /// - Parameter spread: a random number, which spreads out the retries of many processes.
    mutating func failed(_ failure: RefreshFailure, at now: Duration, spread: Double) {
        lastFailure = failure
        failures += 1
        retryTime = now + pause(after: failure, spread)
    }

    mutating func forgetFailures() {
        failures = 0
        retryTime = nil
    }

    /// No delay after the first failure, then a quarter of a second, doubled up to ten seconds, less a random part of
    /// up to half of it. A busy server can request a longer delay.
    private func pause(after failure: RefreshFailure, _ spread: Double) -> Duration {
        let asked = min(failure.networkCause?.retryAfter ?? .zero, .seconds(60))
        guard failures > 1 else { return asked }
        let pause = min(Duration.milliseconds(250 << min(failures - 2, 6)), .seconds(10))
        return max(asked, pause - (pause / 2).scaled(by: spread))
    }
}
