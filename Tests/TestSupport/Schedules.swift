import Foundation

/// The number of random orders of events in a fuzz test. `.ci/run` uses the long form.
package enum Schedules {
    package static let seeds: Range<UInt64> =
        0..<(ProcessInfo.processInfo.environment["NETWORKENGINE_LONG"] == nil ? 300 : 10_000)
}
