import Foundation
import NetworkEngineTesting

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
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
