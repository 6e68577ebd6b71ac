import CLibcurl

/// Header lines in memory that libcurl reads directly, because it does not copy header lists.
struct CurlHeaderList: ~Copyable {
    private var text = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var nodes = UnsafeMutableBufferPointer<LCLine>(start: nil, count: 0)
    private var count = 0
    private var current: [UInt8] = []

    deinit {
        text.deallocate()
        nodes.deallocate()
    }

    /// The first line of the current list.
    var first: UnsafePointer<LCLine>? { count == 0 ? nil : UnsafePointer(nodes.baseAddress) }

    /// Replaces the lines. Each is terminated by a NUL.
    mutating func set(_ bytes: [UInt8]) {
        guard bytes != current else { return }
        current = bytes
        count = bytes.lazy.filter { $0 == 0 }.count
        if text.count < bytes.count {
            text.deallocate()
            text = .allocate(byteCount: bytes.count * 2, alignment: 1)
        }
        if nodes.count < count {
            nodes.deallocate()
            nodes = .allocate(capacity: count * 2)
        }
        bytes.withUnsafeBytes { text.copyMemory(from: $0) }
        var start = 0
        for number in 0..<count {
            let line = text.baseAddress.map { UnsafeRawPointer($0 + start).assumingMemoryBound(to: CChar.self) }
            let next = number + 1 < count ? nodes.baseAddress.map { $0 + number + 1 } : nil
            nodes.initializeElement(at: number, to: LCLine(text: line, next: next))
            start = (bytes[start...].firstIndex(of: 0) ?? bytes.endIndex) + 1
        }
    }
}
