import NetworkEngine

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What sockets and threads are called on each platform; nothing above this file knows the difference.
enum LoopbackPlatform {
    #if canImport(Glibc)
    static let stream = Int32(SOCK_STREAM.rawValue)
    #else
    static let stream = SOCK_STREAM
    #endif

    #if canImport(Darwin)
    static let sendFlags: Int32 = 0
    #else
    static let sendFlags = Int32(MSG_NOSIGNAL)
    #endif

    static let sendsEnd = Int32(SHUT_WR)
    static let tcp = Int32(IPPROTO_TCP)

    /// Keeps a write to a closed connection from raising SIGPIPE where `send` has no flag for it.
    static func silencePipeSignal(_ descriptor: Int32) {
        #if canImport(Darwin)
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    /// An IPv4 loopback address.
    static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        #if canImport(Darwin)
        address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
        #endif
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        return address
    }

    /// An IPv6 loopback address.
    static func address6(port: UInt16) -> sockaddr_in6 {
        var address = sockaddr_in6()
        #if canImport(Darwin)
        address.sin6_len = UInt8(MemoryLayout<sockaddr_in6>.size)
        #endif
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_addr = in6addr_loopback
        return address
    }
}

/// A thread that runs one closure and can be joined, which Foundation's cannot.
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

    /// Waits for the end, unless this is the thread itself; the second call returns at once.
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
