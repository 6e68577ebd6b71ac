/// The work that gets a credential for an interceptor: a refresh, an access to a store, or a closure that returns a
/// token.
///
/// The scope is a task-local value, so it identifies the calls that this work makes, with any client. Such calls must
/// not wait for the work. A task that outlives the work is not in the scope.
package final class RefreshScope: Sendable {
    @TaskLocal private static var current: RefreshScope?

    private let owner: ObjectIdentifier
    private let outer: RefreshScope?
    private let isRefresh: Bool
    private let hasEnded = Locked(false)

    private init(owner: ObjectIdentifier, isRefresh: Bool, outer: RefreshScope?) {
        self.owner = owner
        self.isRefresh = isRefresh
        self.outer = outer
    }

    /// Whether this task is in the scope of any interceptor.
    static var isActive: Bool { contains { _ in true } }

    /// Whether this task is part of a refresh, which has its own limit.
    static var isRefreshing: Bool { current != nil && contains(\.isRefresh) }

    /// Whether this task is in a scope of this interceptor.
    static func isActive(for owner: AnyObject) -> Bool {
        let owner = ObjectIdentifier(owner)
        return contains { $0.owner == owner }
    }

    /// Runs work in a new scope, outside the attempt of any retried call.
    ///
    /// - Parameter isRefresh: whether the work is a refresh, which has its own limit.
    static func run<Value>(
        for owner: AnyObject,
        isRefresh: Bool = false,
        _ work: () async throws -> Value
    ) async rethrows -> Value {
        let scope = RefreshScope(owner: ObjectIdentifier(owner), isRefresh: isRefresh, outer: current)
        defer { scope.hasEnded.withLock { $0 = true } }
        return try await $current.withValue(scope) {
            try await RetryScope.$isInside.withValue(false) { try await work() }
        }
    }

    private static func contains(_ condition: (RefreshScope) -> Bool) -> Bool {
        var next = current
        while let scope = next {
            if !scope.hasEnded.withLock({ $0 }), condition(scope) { return true }
            next = scope.outer
        }
        return false
    }
}
