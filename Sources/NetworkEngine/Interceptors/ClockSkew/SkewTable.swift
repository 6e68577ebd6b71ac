/// How far the clocks of hosts are from this one's, in seconds; pure.
package struct SkewTable: Sendable {
    private let tolerance: Double
    private var skews: [String: Double] = [:]

    package init(tolerance: Double) { self.tolerance = max(0, tolerance) }

    package func skew(of host: String) -> Double { skews[host] ?? 0 }

    /// Notes what a host's clock says.
    ///
    /// - Returns: whether that is news, so that what depends on the time is worth doing again.
    package mutating func note(_ skew: Double, of host: String) -> Bool {
        guard abs(skew - self.skew(of: host)) > tolerance else { return false }
        if skews.count >= 64, skews[host] == nil { skews.removeAll() }
        skews[host] = skew
        return true
    }
}
