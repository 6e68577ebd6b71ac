/// How many calls there were lately, and how many failed: ten counters that each stand for a tenth of the window; pure.
package struct CallTally: Sendable {
    private struct Counter {
        var slice = Int64.min
        var calls = 0
        var failures = 0
    }

    private let slice: Duration
    /// The slice that was counted in last, which is nearly always the one to count in next: a division costs more than all
    /// the rest.
    private var last = (start: Duration.zero, end: Duration.zero, number: Int64(0))
    private var counters = Array(repeating: Counter(), count: 10)

    package init(window: Duration) {
        slice = max(.milliseconds(1), window) / 10
    }

    package mutating func add(isFailure: Bool, at now: Duration) {
        if now < last.start || now >= last.end {
            let number = number(of: now)
            last = (slice * Int(number), slice * (Int(number) + 1), number)
        }
        let slice = last.number
        let index = Int(slice % 10)
        if counters[index].slice != slice { counters[index] = Counter(slice: slice) }
        counters[index].calls += 1
        if isFailure { counters[index].failures += 1 }
    }

    package func counts(at now: Duration) -> (calls: Int, failures: Int) {
        let slice = number(of: now)
        return counters.reduce(into: (0, 0)) { sum, counter in
            guard counter.slice > slice - 10 else { return }
            sum.0 += counter.calls
            sum.1 += counter.failures
        }
    }

    package func isEmpty(at now: Duration) -> Bool { counts(at: now).calls == 0 }

    private func number(of time: Duration) -> Int64 { Int64(max(.zero, time) / slice) }
}
