import Foundation

/// How much longer work takes for an input that is eight times as long: 8 if its time is linear, 64 if it's
/// quadratic.
///
/// - Parameter work: Prepares an input of the given length, and returns the work to measure.
package func growthOfTime(from length: Int, _ work: (Int) -> () -> Void) -> Double {
    // The time of this thread, so that other tests don't count.
    func time(_ work: () -> Void) -> Duration {
        let start = threadTime()
        work()
        return threadTime() - start
    }
    let (short, long) = (work(length), work(length * 8))
    let shortTime = max(min(time(short), time(short)), .microseconds(200))
    let growth = time(long) / shortTime
    // Interference makes a measurement longer. A good result isn't repeated.
    return growth < 16 ? growth : min(growth, time(long) / shortTime)
}

private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
