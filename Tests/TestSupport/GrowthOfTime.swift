import Foundation

/// How many times as long work takes whose input is eight times as long: 8 if its time grows with the length, 64 if it
/// grows with the square.
///
/// - Parameter work: Prepares an input of a length, and returns what is measured.
package func growthOfTime(from length: Int, _ work: (Int) -> () -> Void) -> Double {
    // The time of this thread, so that other tests do not count.
    func time(_ length: Int) -> Duration {
        let work = work(length)
        return (0..<2).map { _ in
            let start = threadTime()
            work()
            return threadTime() - start
        }.min() ?? .zero
    }
    let short = max(time(length), .microseconds(200))
    return time(length * 8) / short
}

private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
