import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A port that takes no connection and refuses none: its queue is full, and nobody ever empties it.
final class BlackHole: Sendable {
    struct Failed: Error {}

    let url: URL
    private let descriptors: [Int32]

    init() throws {
        let listener = Self.makeSocket()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        var fillers: [Int32] = []
        withUnsafeMutableBytes(of: &address) { bytes in
            guard let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return }
            _ = bind(listener, address, length)
            _ = listen(listener, 0)
            _ = getsockname(listener, address, &length)
            for _ in 0..<8 {
                let filler = Self.makeSocket()
                _ = fcntl(filler, F_SETFL, O_NONBLOCK)
                _ = connect(filler, address, length)
                fillers.append(filler)
            }
        }
        descriptors = fillers + [listener]
        guard let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/") else { throw Failed() }
        self.url = url
    }

    deinit { for descriptor in descriptors { _ = close(descriptor) } }

    private static func makeSocket() -> Int32 { socket(AF_INET, streamSocket, 0) }
}
