/// Decides when a refresh may begin. A pure state machine.
///
/// Refreshes that succeed are limited, because a server may reject what it issues. After refreshes that fail, there is
/// a pause, and the calls in it fail for the reason of the last one.
struct RefreshPace: Sendable {
    private let options: RefreshOptions
    private var successes: [Duration] = []
    /// The number of failures since the last success.
    private var failures = 0
    /// The time before which no refresh begins.
    private var retryTime: Duration?
    private(set) var lastFailure = RefreshFailure.signedOut

    init(_ options: RefreshOptions) { self.options = options }

    /// Returns the reason why no refresh may begin; `nil` if one may.
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

    /// - Parameter spread: a random number, which spreads the next tries of many processes.
    mutating func failed(_ failure: RefreshFailure, at now: Duration, spread: Double) {
        lastFailure = failure
        failures += 1
        retryTime = now + pause(after: failure, spread)
    }

    mutating func forgetFailures() {
        failures = 0
        retryTime = nil
    }

    /// None after the first failure, then a quarter of a second, doubled up to ten seconds, less up to a half of it at
    /// random. A server that is busy can ask for more.
    private func pause(after failure: RefreshFailure, _ spread: Double) -> Duration {
        let asked = min(failure.networkCause?.retryAfter ?? .zero, .seconds(60))
        guard failures > 1 else { return asked }
        let pause = min(Duration.milliseconds(250 << min(failures - 2, 6)), .seconds(10))
        return max(asked, pause - (pause / 2).scaled(by: spread))
    }
}
