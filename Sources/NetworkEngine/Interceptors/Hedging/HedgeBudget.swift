/// How many extra requests a part of all requests allows; pure.
package struct HedgeBudget: Sendable {
    /// Counted in thousandths, so that sums are exact.
    private let share: Int
    private var saved = 0

    /// - Parameter extraLoad: the part of requests that may be sent a second time, from 0 to 1.
    package init(extraLoad: Double) {
        share = extraLoad.isNaN ? 0 : Int(min(max(extraLoad, 0), 1) * 1000)
    }

    /// A request was sent.
    package mutating func earn() { saved = min(10_000, saved + share) }

    /// Pays for an extra one, if there is enough.
    package mutating func spend() -> Bool {
        guard saved >= 1000 else { return false }
        saved -= 1000
        return true
    }
}
