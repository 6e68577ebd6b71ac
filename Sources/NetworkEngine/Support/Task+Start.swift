extension Task where Failure == any Error {
    #if canImport(Darwin)
    /// Starts work that goes on beside the caller.
    @inline(__always)
    package static func starting(_ work: sending @escaping @isolated(any) () async throws -> Success) -> Self {
        Self(operation: work)
    }
    #else
    /// Starts work that goes on beside the caller, on this thread until it first waits.
    ///
    /// Two switches of thread are most of what a task costs; work that never waits is over when this returns. Apple's
    /// runtimes can do so from macOS 26 on, above our floor.
    @inline(__always)
    package static func starting(_ work: sending @escaping @isolated(any) () async throws -> Success) -> Self {
        Self.immediate(operation: work)
    }
    #endif
}
