/// Yields the cores to other tests for a time that doesn't depend on the number of running tests.
///
/// A yield takes as long as all work that is ready to run: with other tests, a thousand yields can take minutes.
package func letOthersRun(for time: Duration = .milliseconds(20)) async {
    let end = ContinuousClock.now + time
    repeat { await Task.yield() } while ContinuousClock.now < end
}
