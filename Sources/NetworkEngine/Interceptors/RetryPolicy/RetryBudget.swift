public import Foundation

/// Limits the retries that an origin receives: a retry costs tokens, and a success earns some.
///
/// While a server is down, its budget lasts for about thirty retries. Later failures are reported immediately instead
/// of adding load. Each origin (scheme, host and port) has a separate budget. Copies share the tokens, so several
/// policies can use one budget.
///
/// ```swift
/// let budget = RetryBudget(capacity: 500)
/// let provider = NetworkProvider<UserAPI>(interceptor: RetryPolicy(budget: budget))
/// print(budget.available)
/// ```
public struct RetryBudget: Sendable {
    /// The cost of a retry.
    public let cost: Int
    /// The cost of a retry that the server requested with a 429 or a `Retry-After`.
    public let throttledCost: Int
    private let tokens: Locked<RetryTokens>

    /// Creates a budget that is full for each origin.
    ///
    /// - Parameters:
    ///   - capacity: the maximum number of tokens per origin.
    ///   - cost: the cost of a retry.
    ///   - throttledCost: the cost of a retry that the server requested with a 429 or a `Retry-After`.
    public init(capacity: Int = 500, cost: Int = 14, throttledCost: Int = 5) {
        self.cost = cost
        self.throttledCost = throttledCost
        tokens = Locked(RetryTokens(capacity: capacity))
    }

    /// The maximum number of tokens per origin. Each origin starts with this number.
    public var capacity: Int { tokens.withLock { $0.capacity } }
    /// The tokens of the origin with the fewest tokens.
    public var available: Int { tokens.withLock { $0.lowest } }

    /// Returns the tokens available for a URL's origin.
    public func available(for url: URL) -> Int {
        let host = url.origin.text
        return tokens.withLock { $0.available(for: host) }
    }

    func withdraw(_ cost: Int, for host: String) -> Bool {
        tokens.withLock { $0.withdraw(cost, for: host) }
    }

    func deposit(_ amount: Int, for host: String) {
        tokens.withLock { $0.deposit(amount, for: host) }
    }

    /// Adds a token if the first attempt succeeds.
    func depositSuccess(of response: HTTPResponse) {
        guard tokens.withLock({ !$0.isFull }) else { return }
        deposit(1, for: response.request.url.origin.text)
    }
}

/// The tokens of each host; a pure value.
struct RetryTokens: Sendable {
    let capacity: Int
    /// The hosts with less than the capacity, so that only failing hosts use memory.
    private var buckets: [String: Int] = [:]

    init(capacity: Int) { self.capacity = max(0, capacity) }

    var isFull: Bool { buckets.isEmpty }
    var lowest: Int { buckets.values.min() ?? capacity }

    func available(for host: String) -> Int { buckets[host] ?? capacity }

    /// Takes the cost of a retry. Returns `false` if the host has too few tokens.
    mutating func withdraw(_ cost: Int, for host: String) -> Bool {
        let left = available(for: host) - max(0, cost)
        guard left >= 0 else { return false }
        if left < capacity { buckets[host] = left }
        return true
    }

    /// Adds tokens, up to the capacity.
    mutating func deposit(_ amount: Int, for host: String) {
        guard let left = buckets[host] else { return }
        let (sum, isOverflowing) = left.addingReportingOverflow(max(0, amount))
        buckets[host] = isOverflowing || sum >= capacity ? nil : sum
    }
}
