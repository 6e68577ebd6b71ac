#if os(Linux) || os(Android)
// Dispatch sources can be canceled from any thread, but are not declared as Sendable on Linux.
@preconcurrency import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The kernel's network interfaces. rtnetlink reports changes, and `getifaddrs` returns the current state.
struct SystemReachability: ReachabilitySource {
    init() {}

    func current() -> ReachabilityStatus { Interfaces.isAnyUsable ? .online : .offline }

    func changes() -> AsyncStream<ReachabilityStatus> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            guard let descriptor = RouteSocket.open() else {
                // Changes cannot be observed, as in an Android app: an offline state would never end.
                continuation.yield(.online)
                return continuation.finish()
            }
            let queue = DispatchQueue(label: "NetworkEngine.Reachability")
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler {
                RouteSocket.drain(descriptor)
                continuation.yield(current())
            }
            source.setCancelHandler { _ = close(descriptor) }
            continuation.onTermination = { _ in source.cancel() }
            source.resume()
            // The state may have changed before the socket was opened.
            continuation.yield(current())
        }
    }
}

/// A socket that receives the kernel's changes of links, addresses and routes.
private enum RouteSocket {
    /// `sockaddr_nl`, which no module declares.
    private struct Address {
        var family = sa_family_t(AF_NETLINK)
        var padding: UInt16 = 0
        var port: UInt32 = 0
        /// Links, and the addresses and routes of IPv4 and IPv6.
        var groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400
    }

    static func open() -> Int32? {
        let (raw, closesOnExec, doesNotBlock): (Int32, Int32, Int32) = (3, 0o2_000_000, 0o4000)
        let descriptor = socket(AF_NETLINK, raw | closesOnExec | doesNotBlock, 0)
        guard descriptor >= 0 else { return nil }
        var address = Address()
        let size = socklen_t(MemoryLayout<Address>.size)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        if result == 0 { return descriptor }
        _ = close(descriptor)
        return nil
    }

    /// Reads and ignores all messages.
    static func drain(_ descriptor: Int32) {
        withUnsafeTemporaryAllocation(byteCount: 8192, alignment: 8) { buffer in
            while recv(descriptor, buffer.baseAddress, buffer.count, 0) > 0 {}
        }
    }
}

private enum Interfaces {
    /// Whether an interface other than loopback is up and has an address that is not link-local.
    static var isAnyUsable: Bool {
        var first: UnsafeMutablePointer<ifaddrs>?
        // Without information, assume that there is a network.
        guard getifaddrs(&first) == 0 else { return true }
        defer { freeifaddrs(first) }
        var next = first
        while let interface = next?.pointee {
            if isUsable(interface) { return true }
            next = interface.ifa_next
        }
        return false
    }

    private static func isUsable(_ interface: ifaddrs) -> Bool {
        let flags = Int(interface.ifa_flags)
        let (up, loopback, running) = (0x1, 0x8, 0x40)
        guard flags & up != 0, flags & running != 0, flags & loopback == 0, let address = interface.ifa_addr else {
            return false
        }
        switch Int32(address.pointee.sa_family) {
        case AF_INET: return true
        case AF_INET6:
            return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                withUnsafeBytes(of: address.pointee.sin6_addr) { !($0[0] == 0xFE && $0[1] & 0xC0 == 0x80) }
            }
        default: return false
        }
    }
}
#endif
