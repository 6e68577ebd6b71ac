/// Leaves the processors to others for a time that does not grow with the number of tests that run.
///
/// A yield takes as long as everything that is ready to run: a thousand of them can take minutes beside other tests.
package func letOthersRun(for time: Duration = .milliseconds(20)) async {
    let end = ContinuousClock.now + time
    repeat { await Task.yield() } while ContinuousClock.now < end
}
