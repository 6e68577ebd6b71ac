/// Computes the delay before a retry.
///
/// ```swift
/// let policy = RetryPolicy(backoff: .exponential(base: .milliseconds(100), cap: .seconds(5)))
/// ```
public struct Backoff: Sendable {
    private enum Rule {
        case exponential(base: Duration)
        case decorrelated(base: Duration)
        case constant(Duration)
        case custom(@Sendable (_ retry: Int) -> Duration)
    }

    private let rule: Rule
    /// The maximum delay, and by default the longest accepted `Retry-After`.
    public let cap: Duration

    private init(_ rule: Rule, cap: Duration) {
        self.rule = rule
        // Far below the overflow of later multiplications.
        self.cap = min(max(.zero, cap), .seconds(1 << 30))
    }

    /// A random delay up to `base`, doubled for each retry, up to `cap`: full jitter.
    ///
    /// If the server is throttling (429, or 503 with `Retry-After`), the base is at least one second.
    public static func exponential(
        base: Duration = .milliseconds(50),
        cap: Duration = .seconds(20)
    ) -> Backoff {
        Backoff(.exponential(base: max(.zero, base)), cap: cap)
    }

    /// A random delay between `base` and three times the previous delay, up to `cap`.
    public static func decorrelatedJitter(
        base: Duration = .milliseconds(50),
        cap: Duration = .seconds(20)
    ) -> Backoff {
        Backoff(.decorrelated(base: max(.zero, base)), cap: cap)
    }

    /// The same delay for each retry.
    public static func constant(_ pause: Duration) -> Backoff {
        Backoff(.constant(pause), cap: max(pause, .seconds(20)))
    }

    /// The delay that a closure returns. Its argument is 0 for the first retry.
    public static func custom(
        cap: Duration = .seconds(20),
        _ pause: @escaping @Sendable (_ retry: Int) -> Duration
    ) -> Backoff {
        Backoff(.custom(pause), cap: cap)
    }

    /// Returns the delay, never negative and never more than `cap`.
    ///
    /// - Parameters:
    ///   - retry: 0 for the first retry.
    ///   - isThrottled: whether the server is throttling.
    package func pause(
        retry: Int,
        previous: Duration? = nil,
        isThrottled: Bool = false,
        random: () -> Double
    ) -> Duration {
        switch rule {
        case .exponential(let base):
            let base = isThrottled ? max(base, .seconds(1)) : base
            return doubled(base, times: retry).scaled(by: random())
        case .decorrelated(let base):
            let base = min(cap, isThrottled ? max(base, .seconds(1)) : base)
            let limit = min(cap, (previous ?? base) * 3)
            return base + max(.zero, limit - base).scaled(by: random())
        case .constant(let pause): return min(cap, max(.zero, pause))
        case .custom(let pause): return min(cap, max(.zero, pause(retry)))
        }
    }

    private func doubled(_ base: Duration, times: Int) -> Duration {
        guard base > .zero else { return .zero }
        var pause = min(base, cap)
        var left = times
        while left > 0, pause < cap {
            pause = min(pause + pause, cap)
            left -= 1
        }
        return pause
    }
}
