import Foundation
import NetworkEngineTesting

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A port that neither accepts nor refuses connections, because its backlog is full.
final class BlackHole: Sendable {
    struct Failed: Error {}

    let url: URL
    private let descriptors: [Int32]

    init() throws {
        let listener = Self.makeSocket()
        var address = LoopbackPlatform.address(port: 0)
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

    private static func makeSocket() -> Int32 { socket(AF_INET, LoopbackPlatform.stream, 0) }
}
