import Foundation
import TestSupport

/// The length of a stress run.
enum StressLength {
    case exchanges(Int)
    /// A soak: as many as there is time for.
    case time(Duration)

    /// Follows the length of tests by default. `NETWORKENGINE_STRESS=10000` sets the number of exchanges, and
    /// `NETWORKENGINE_SOAK=600` the number of seconds.
    static var chosen: StressLength {
        let environment = ProcessInfo.processInfo.environment
        if let seconds = environment["NETWORKENGINE_SOAK"].flatMap(Int.init) { return .time(.seconds(seconds)) }
        let usual = TestLength.count(1_000, sanitized: 2_000, gate: 20_000, whole: 100_000)
        return .exchanges(environment["NETWORKENGINE_STRESS"].flatMap(Int.init) ?? usual)
    }

    func isOver(after exchanges: Int, since start: ContinuousClock.Instant) -> Bool {
        switch self {
        case .exchanges(let count): exchanges >= count
        case .time(let time): ContinuousClock.now - start >= time
        }
    }
}
