import Foundation

@testable import NetworkEngineTesting

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A bound loopback port without a listener, reserved for the lifetime of this object.
final class ClosedPort: Sendable {
    let number: UInt16
    private let descriptor: Int32

    init() {
        let descriptor = socket(AF_INET, LoopbackPlatform.stream, 0)
        var address = LoopbackPlatform.address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutableBytes(of: &address) { bytes in
            guard let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return }
            _ = bind(descriptor, address, length)
            _ = getsockname(descriptor, address, &length)
        }
        self.descriptor = descriptor
        number = UInt16(bigEndian: address.sin_port)
    }

    deinit { _ = close(descriptor) }

    var url: URL? { URL(string: "http://127.0.0.1:\(number)") }
}

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
