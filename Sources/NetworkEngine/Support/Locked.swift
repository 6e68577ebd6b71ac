import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A value protected by a lock. It holds all shared state of the package.
///
/// The lock and the value share one allocation, because a request makes several of them (an `NSLock` with a separate
/// value costs three). It is a POSIX mutex, like the one inside `NSLock`: ThreadSanitizer on Linux supports both, but
/// not `Synchronization.Mutex`.
///
/// Pass a function in and out of the lock as a member of a struct, never as the value itself: a function used as a
/// generic type is wrapped again by each access.
///
/// Decide inside the closure, and act after it returns: call no callback, `resume` or `cancel` under the lock.
package struct Locked<State>: @unchecked Sendable {
    private let storage: LockedStorage<State>

    package init(_ state: consuming State) {
        storage = LockedStorage.make(state)
    }

    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storage.withLock(body)
    }

    /// Returns `nil`, without waiting, if the lock is taken.
    package func withLockIfFree<Result>(_ body: (inout State) -> Result) -> Result? { storage.withLockIfFree(body) }

    /// Equal for all copies.
    var identity: ObjectIdentifier { ObjectIdentifier(storage) }
}

private final class LockedStorage<State>: ManagedBuffer<pthread_mutex_t, State> {
    static func make(_ state: consuming State) -> LockedStorage {
        let buffer = LockedStorage.create(minimumCapacity: 1) { _ in pthread_mutex_t() }
        let storage = unsafeDowncast(buffer, to: LockedStorage.self)
        let (mutex, element) = storage.withUnsafeMutablePointers { ($0, $1) }
        pthread_mutex_init(mutex, nil)
        element.initialize(to: state)
        return storage
    }

    deinit {
        _ = withUnsafeMutablePointers { mutex, element in
            element.deinitialize(count: 1)
            return pthread_mutex_destroy(mutex)
        }
    }

    func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (mutex, element) = withUnsafeMutablePointers { ($0, $1) }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&element.pointee)
    }

    func withLockIfFree<Result>(_ body: (inout State) -> Result) -> Result? {
        let (mutex, element) = withUnsafeMutablePointers { ($0, $1) }
        guard pthread_mutex_trylock(mutex) == 0 else { return nil }
        defer { pthread_mutex_unlock(mutex) }
        return body(&element.pointee)
    }
}
