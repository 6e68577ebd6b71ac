import Foundation

/// How many times as long work takes whose input is eight times as long: 8 if its time grows with the length, 64 if it
/// grows with the square.
///
/// - Parameter work: Prepares an input of a length, and returns what is measured.
package func growthOfTime(from length: Int, _ work: (Int) -> () -> Void) -> Double {
    // The time of this thread, so that other tests do not count.
    func time(_ work: () -> Void) -> Duration {
        let start = threadTime()
        work()
        return threadTime() - start
    }
    let (short, long) = (work(length), work(length * 8))
    let shortTime = max(min(time(short), time(short)), .microseconds(200))
    let growth = time(long) / shortTime
    // What disturbs a measurement makes it longer. One that is not is not repeated.
    return growth < 16 ? growth : min(growth, time(long) / shortTime)
}

private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
