/// Waits until the task is cancelled.
func untilCancelled() async -> CancellationError {
    let (silence, source) = AsyncStream.makeStream(of: Never.self)
    for await _ in silence {}
    withExtendedLifetime(source) {}
    return CancellationError()
}
