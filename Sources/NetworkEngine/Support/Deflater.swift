package import Foundation

/// Compresses bytes that come in pieces.
package final class Deflater {
    package enum Format: Sendable {
        case gzip
        /// What HTTP calls `deflate`.
        case zlib
    }

    package struct Failed: Error { package let code: Int32 }

    /// Whether the system has what is needed.
    package static var isAvailable: Bool { Zlib.shared != nil }

    private static let outputLength = 64 << 10
    /// The largest piece of input. zlib counts bytes in 32 bits.
    private let inputLength: Int
    private let zlib: Zlib
    /// In a place of its own: zlib remembers where it is.
    private let stream: UnsafeMutablePointer<Zlib.Stream>

    /// - Returns: `nil` where the system has no zlib, or no memory.
    package init?(_ format: Format, inputLength: Int = 1 << 30) {
        guard let zlib = Zlib.shared else { return nil }
        self.zlib = zlib
        self.inputLength = min(max(1, inputLength), Int(UInt32.max))
        stream = .allocate(capacity: 1)
        stream.initialize(to: Zlib.Stream())
        let (standardLevel, deflated, standardMemory, standardStrategy): (Int32, Int32, Int32, Int32) = (-1, 8, 8, 0)
        let windowBits: Int32 = format == .gzip ? 15 + 16 : 15
        let code = zlib.begin(
            stream, standardLevel, deflated, windowBits, standardMemory, standardStrategy, "1",
            Int32(MemoryLayout<Zlib.Stream>.size)
        )
        if code != 0 { return nil }
    }

    deinit {
        _ = zlib.end(stream)
        stream.deallocate()
    }

    /// What comes out for some bytes more, which may be nothing yet.
    package func deflate(_ data: Data) throws -> Data {
        try data.withUnsafeBytes { bytes in
            var result = Data()
            var rest = bytes[...]
            while !rest.isEmpty {
                try run(UnsafeRawBufferPointer(rebasing: rest.prefix(inputLength)), flush: 0, into: &result)
                rest = rest.dropFirst(inputLength)
            }
            return result
        }
    }

    /// What is left in the end.
    package func finish() throws -> Data {
        var result = Data()
        try run(UnsafeRawBufferPointer(start: nil, count: 0), flush: 4, into: &result)
        return result
    }

    private func run(_ bytes: UnsafeRawBufferPointer, flush: Int32, into result: inout Data) throws {
        stream.pointee.input = bytes.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.inputCount = UInt32(bytes.count)
        var isFull = true
        while isFull {
            let (piece, left) = try step(flush)
            result.append(piece)
            isFull = left == 0
        }
    }

    private func step(_ flush: Int32) throws -> (Data, left: Int) {
        let (ended, stuck): (Int32, Int32) = (1, -5)
        var piece = Data(count: Self.outputLength)
        let code = piece.withUnsafeMutableBytes { output in
            stream.pointee.output = output.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.outputCount = UInt32(output.count)
            return zlib.step(stream, flush)
        }
        guard code == 0 || code == ended || code == stuck else { throw Failed(code: code) }
        let left = Int(stream.pointee.outputCount)
        return (piece.prefix(Self.outputLength - left), left)
    }
}
