import Foundation

/// The length of a stress run.
enum StressLength {
    case exchanges(Int)
    /// A soak: as many as there is time for.
    case time(Duration)

    /// 2,000 exchanges; 100,000 with `NETWORKENGINE_LONG`, any other number with `NETWORKENGINE_STRESS=10000`, and so
    /// many seconds with `NETWORKENGINE_SOAK=600`.
    static var chosen: StressLength {
        let environment = ProcessInfo.processInfo.environment
        if let seconds = environment["NETWORKENGINE_SOAK"].flatMap(Int.init) { return .time(.seconds(seconds)) }
        let usual = environment["NETWORKENGINE_LONG"] == nil ? 2_000 : 100_000
        return .exchanges(environment["NETWORKENGINE_STRESS"].flatMap(Int.init) ?? usual)
    }

    func isOver(after exchanges: Int, since start: ContinuousClock.Instant) -> Bool {
        switch self {
        case .exchanges(let count): exchanges >= count
        case .time(let time): ContinuousClock.now - start >= time
        }
    }
}
