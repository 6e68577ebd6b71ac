import NetworkEngine

extension Clock<Duration> {
    /// Sleeps for a duration, or not at all when it is zero.
    package func pause(for delay: Duration) async throws {
        if delay > .zero { try await Timebase.reading(self).sleep(for: delay) }
    }
}

/// Waits until the task is canceled, and returns the error to throw.
package func untilCancelled() async -> CancellationError {
    let (silence, source) = AsyncStream.makeStream(of: Never.self)
    for await _ in silence {}
    withExtendedLifetime(source) {}
    return CancellationError()
}
