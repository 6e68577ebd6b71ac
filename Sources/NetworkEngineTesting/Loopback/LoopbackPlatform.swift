#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The platform differences of the socket API.
enum LoopbackPlatform {
    #if canImport(Glibc)
    static let stream = Int32(SOCK_STREAM.rawValue)
    #else
    package static let stream = SOCK_STREAM
    #endif

    #if canImport(Darwin)
    package static let sendFlags: Int32 = 0
    #else
    static let sendFlags = Int32(MSG_NOSIGNAL)
    #endif

    /// The poll event for a client that has closed its sending direction, where the system has one.
    #if os(Linux) || os(Android)
    static let clientEnded: Int16 = 0x2000
    #else
    static let clientEnded: Int16 = 0
    #endif

    static let sendsEnd = Int32(SHUT_WR)
    static let peek = Int32(MSG_PEEK)
    static let tcp = Int32(IPPROTO_TCP)

    /// Prevents SIGPIPE on a write to a closed connection where `send` has no flag for it.
    static func silencePipeSignal(_ descriptor: Int32) {
        #if canImport(Darwin)
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

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
