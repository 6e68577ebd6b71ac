/// What each host's retries may still cost; pure.
package struct RetryTokens: Sendable {
    package let capacity: Int
    /// The hosts that have less than the capacity: no more than are in trouble.
    private var buckets: [String: Int] = [:]

    package init(capacity: Int) { self.capacity = max(0, capacity) }

    package var isFull: Bool { buckets.isEmpty }
    /// What the host with the least has.
    package var lowest: Int { buckets.values.min() ?? capacity }

    package func available(for host: String) -> Int { buckets[host] ?? capacity }

    /// Takes the cost of a retry, if there is enough.
    package mutating func withdraw(_ cost: Int, for host: String) -> Bool {
        let left = available(for: host) - max(0, cost)
        guard left >= 0 else { return false }
        if left < capacity { buckets[host] = left }
        return true
    }

    /// Gives back, up to the capacity.
    package mutating func deposit(_ amount: Int, for host: String) {
        guard let left = buckets[host] else { return }
        let (sum, isOverflowing) = left.addingReportingOverflow(max(0, amount))
        buckets[host] = isOverflowing || sum >= capacity ? nil : sum
    }
}
