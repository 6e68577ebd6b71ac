import Foundation

/// How many orders of events a fuzz test tries; the long form is for `.ci/run`.
enum Schedules {
    static let seeds: Range<UInt64> =
        0..<(ProcessInfo.processInfo.environment["NETWORKENGINE_LONG"] == nil ? 300 : 10_000)
}
