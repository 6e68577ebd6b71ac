/// The number of random orders of events in a fuzz test.
package enum Schedules {
    package static let seeds = 0..<UInt64(TestLength.count(300, gate: 3_000, whole: 10_000))
}
