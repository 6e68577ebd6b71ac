extension Task where Failure == any Error {
    #if canImport(Darwin)
    /// Starts concurrent work.
    @inline(__always)
    package static func starting(_ work: sending @escaping @isolated(any) () async throws -> Success) -> Self {
        Self(operation: work)
    }
    #else
    /// Starts concurrent work on the calling thread until its first suspension.
    ///
    /// This saves two thread switches, which are most of a task's cost. Work that never suspends is complete on return.
    /// Apple's systems support it from macOS 26, above this package's minimum.
    @inline(__always)
    static func starting(_ work: sending @escaping @isolated(any) () async throws -> Success) -> Self {
        Self.immediate(operation: work)
    }
    #endif
}
