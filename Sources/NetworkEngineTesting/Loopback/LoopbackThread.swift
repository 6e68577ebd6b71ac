import NetworkEngine

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A thread that runs one closure and can be joined, unlike Foundation's.
struct LoopbackThread: Sendable {
    private let identity: Locked<pthread_t?>

    init(_ body: @escaping @Sendable () -> Void) throws(LoopbackServerError) {
        let work = Unmanaged.passRetained(Work(body))
        #if canImport(Darwin)
        var created: pthread_t?
        let code = pthread_create(&created, nil, { LoopbackThread.run($0) }, work.toOpaque())
        #else
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, { LoopbackThread.run($0) }, work.toOpaque())
        let created: pthread_t? = thread
        #endif
        guard code == 0, let created else {
            work.release()
            throw LoopbackServerError(step: "pthread_create", code: code)
        }
        identity = Locked(created)
    }

    /// Waits for the thread to end. Returns immediately on the thread itself and in later calls.
    func join() {
        let taken = identity.withLock { identity in
            defer { identity = nil }
            return identity
        }
        guard let taken else { return }
        if pthread_equal(taken, pthread_self()) != 0 {
            pthread_detach(taken)
        } else {
            pthread_join(taken, nil)
        }
    }

    private static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let context else { return nil }
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        return nil
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
