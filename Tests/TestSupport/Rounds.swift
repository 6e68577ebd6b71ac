/// Runs rounds of a test in parallel.
///
/// Sequential rounds would wait for all other tests each time that they suspend.
package func rounds(_ count: Int, _ round: @escaping @Sendable (Int) async throws -> Void) async throws {
    try await withThrowingTaskGroup { group in
        for number in 0..<count { group.addTask { try await round(number) } }
        try await group.waitForAll()
    }
}
