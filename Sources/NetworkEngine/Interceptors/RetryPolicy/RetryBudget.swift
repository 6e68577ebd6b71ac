public import Foundation

/// How much retrying a host is asked to bear: retries cost, successes pay.
///
/// While a host is down, its budget runs out after some thirty retries, and later failures are reported at once instead
/// of adding to its load. Each host has a budget of its own. Copies share what is left, so that several policies can have
/// one budget.
///
/// ```swift
/// let budget = RetryBudget(capacity: 500)
/// let provider = NetworkProvider<UserAPI>(interceptor: RetryPolicy(budget: budget))
/// print(budget.available)
/// ```
public struct RetryBudget: Sendable {
    /// What a retry costs.
    public let cost: Int
    /// What a retry costs that the server itself put off, with 429 or a `Retry-After`.
    public let throttledCost: Int
    private let tokens: Locked<RetryTokens>

    public init(capacity: Int = 500, cost: Int = 14, throttledCost: Int = 5) {
        self.cost = cost
        self.throttledCost = throttledCost
        tokens = Locked(RetryTokens(capacity: capacity))
    }

    public var capacity: Int { tokens.withLock { $0.capacity } }
    /// What is left for the host that has the least.
    public var available: Int { tokens.withLock { $0.lowest } }

    /// What is left for the host of an address.
    public func available(for url: URL) -> Int {
        let host = url.origin.text
        return tokens.withLock { $0.available(for: host) }
    }

    package func withdraw(_ cost: Int, for host: String) -> Bool {
        tokens.withLock { $0.withdraw(cost, for: host) }
    }

    package func deposit(_ amount: Int, for host: String) {
        tokens.withLock { $0.deposit(amount, for: host) }
    }

    /// Pays for an answer that came at the first try.
    package func depositSuccess(of response: HTTPResponse) {
        guard tokens.withLock({ !$0.isFull }) else { return }
        deposit(1, for: response.request.url.origin.text)
    }
}
