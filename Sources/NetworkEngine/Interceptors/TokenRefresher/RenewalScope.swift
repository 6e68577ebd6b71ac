/// The work that a token refresher does for everybody: a renewal, or reading or writing the store.
///
/// A task-local, so that calls made by that work are recognized, by whatever client they are made. They must not wait for
/// the work that they belong to. A task that the work leaves behind is no longer inside when the work has ended.
package final class RenewalScope: Sendable {
    @TaskLocal private static var current: RenewalScope?

    private let owner: ObjectIdentifier
    private let outer: RenewalScope?
    private let hasEnded = Locked(false)

    private init(owner: ObjectIdentifier, outer: RenewalScope?) {
        self.owner = owner
        self.outer = outer
    }

    /// Whether this task belongs to the work of any refresher.
    package static var isActive: Bool { contains { _ in true } }

    /// Whether this task belongs to the work of this refresher.
    package static func isActive(for owner: AnyObject) -> Bool {
        let owner = ObjectIdentifier(owner)
        return contains { $0.owner == owner }
    }

    /// Runs the work of a refresher. It belongs to no attempt that somebody retries.
    package static func run<Value>(for owner: AnyObject, _ work: () async throws -> Value) async rethrows -> Value {
        let scope = RenewalScope(owner: ObjectIdentifier(owner), outer: current)
        defer { scope.hasEnded.withLock { $0 = true } }
        return try await $current.withValue(scope) {
            try await RetryLayer.$isInside.withValue(false) { try await work() }
        }
    }

    private static func contains(_ isWanted: (RenewalScope) -> Bool) -> Bool {
        var next = current
        while let scope = next {
            if !scope.hasEnded.withLock({ $0 }), isWanted(scope) { return true }
            next = scope.outer
        }
        return false
    }
}
