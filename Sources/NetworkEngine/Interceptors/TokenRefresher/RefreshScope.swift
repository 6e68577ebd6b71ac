/// The work by which an interceptor gets a credential: a renewal, reading or writing a store, a closure that knows a token.
///
/// A task-local, so that calls made by that work are recognized, by whatever client they are made. They must not wait for
/// the work that they belong to. A task that the work leaves behind is no longer inside when the work has ended.
package final class RefreshScope: Sendable {
    @TaskLocal private static var current: RefreshScope?

    private let owner: ObjectIdentifier
    private let outer: RefreshScope?
    private let hasEnded = Locked(false)

    private init(owner: ObjectIdentifier, outer: RefreshScope?) {
        self.owner = owner
        self.outer = outer
    }

    /// Whether this task belongs to such work of any interceptor.
    package static var isActive: Bool { contains { _ in true } }

    /// Whether this task belongs to such work of this interceptor.
    package static func isActive(for owner: AnyObject) -> Bool {
        let owner = ObjectIdentifier(owner)
        return contains { $0.owner == owner }
    }

    /// Runs such work. It belongs to no attempt that somebody retries.
    package static func run<Value>(for owner: AnyObject, _ work: () async throws -> Value) async rethrows -> Value {
        let scope = RefreshScope(owner: ObjectIdentifier(owner), outer: current)
        defer { scope.hasEnded.withLock { $0 = true } }
        return try await $current.withValue(scope) {
            try await RetryLayer.$isInside.withValue(false) { try await work() }
        }
    }

    private static func contains(_ isWanted: (RefreshScope) -> Bool) -> Bool {
        var next = current
        while let scope = next {
            if !scope.hasEnded.withLock({ $0 }), isWanted(scope) { return true }
            next = scope.outer
        }
        return false
    }
}
