extension Duration {
    /// The duration as `850 µs`, `12 ms` or `1.2 s`.
    var inWords: String {
        let microseconds = Int(self / .microseconds(1))
        switch microseconds {
        case ..<1_000: return "\(microseconds) µs"
        case ..<1_000_000: return "\(microseconds / 1_000) ms"
        default: return "\(microseconds / 1_000_000).\(microseconds / 100_000 % 10) s"
        }
    }
}

extension Int {
    /// The number as `1,234`.
    var grouped: String {
        var digits = String(magnitude)[...]
        var groups: [Substring] = []
        while digits.count > 3 {
            groups.append(digits.suffix(3))
            digits = digits.dropLast(3)
        }
        groups.append(digits)
        return (self < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
    }

    /// A number of bytes as `8.4 MB`.
    var megabytes: String { "\(self / 1_000_000).\(self / 100_000 % 10) MB" }
}

/// A transfer's speed, as `at 137 MB/s`.
struct TransferSpeed: CustomStringConvertible {
    private let megabytes: Int

    init(_ bytes: Int, since start: ContinuousClock.Instant) {
        megabytes = Int(Double(bytes) / 1_000_000 / max((ContinuousClock.now - start) / .seconds(1), 0.001))
    }

    var description: String { "at \(megabytes.grouped) MB/s" }
}
