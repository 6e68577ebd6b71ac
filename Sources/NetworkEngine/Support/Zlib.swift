package import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The compressing half of the system's zlib, loaded at run time so that nothing has to be linked.
struct Zlib: Sendable {
    /// `z_stream`; zlib compares the size with its own.
    struct Stream {
        var input: UnsafePointer<UInt8>?
        var inputCount: UInt32 = 0
        var inputTotal: UInt = 0
        var output: UnsafeMutablePointer<UInt8>?
        var outputCount: UInt32 = 0
        var outputTotal: UInt = 0
        var message: UnsafePointer<CChar>?
        var state: OpaquePointer?
        var allocate: OpaquePointer?
        var deallocate: OpaquePointer?
        var context: OpaquePointer?
        var kind: Int32 = 0
        var check: UInt = 0
        var reserved: UInt = 0
    }

    typealias Begin =
        @Sendable @convention(c) (
            _ stream: UnsafeMutableRawPointer, _ level: Int32, _ method: Int32, _ windowBits: Int32, _ memory: Int32,
            _ strategy: Int32, _ version: UnsafePointer<CChar>, _ size: Int32
        ) -> Int32
    typealias Step = @Sendable @convention(c) (_ stream: UnsafeMutableRawPointer, _ flush: Int32) -> Int32
    typealias End = @Sendable @convention(c) (_ stream: UnsafeMutableRawPointer) -> Int32

    let begin: Begin
    let step: Step
    let end: End

    /// The library; `nil` if the system has none.
    fileprivate static var library: UnsafeMutableRawPointer? {
        #if canImport(Darwin)
        let name = "/usr/lib/libz.1.dylib"
        #else
        let name = "libz.so.1"
        #endif
        return dlopen(name, RTLD_NOW)
    }

    static let shared: Zlib? = {
        guard let library, let begin = dlsym(library, "deflateInit2_"),
            let step = dlsym(library, "deflate"), let end = dlsym(library, "deflateEnd")
        else { return nil }
        return Zlib(
            begin: unsafeBitCast(begin, to: Begin.self),
            step: unsafeBitCast(step, to: Step.self),
            end: unsafeBitCast(end, to: End.self)
        )
    }()
}

/// Compresses a sequence of pieces.
package final class Deflater {
    package enum Format: Sendable {
        case gzip
        /// The format that HTTP calls `deflate`.
        case zlib
    }

    package struct Failed: Error { package let code: Int32 }

    /// Whether the system has zlib.
    package static var isAvailable: Bool { Zlib.shared != nil }

    private static let outputLength = 64 << 10
    /// The largest piece of input. zlib counts bytes in 32 bits.
    private let inputLength: Int
    private let zlib: Zlib
    /// Allocated, since zlib keeps the address.
    private let stream: UnsafeMutablePointer<Zlib.Stream>

    /// Returns `nil` if the system has no zlib or no memory.
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

    /// Compresses more bytes, and returns the output so far, which may be empty.
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

    /// Ends the compression, and returns the rest of the output.
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

/// Decompresses complete data with the system's zlib.
package enum Inflater {
    /// Decompresses `gzip` or `deflate`.
    ///
    /// - Returns: `nil` when zlib is missing, the data is malformed or truncated, or the result exceeds the limit.
    package static func inflate(_ data: Data, limit: Int) -> Data? {
        guard let zlib = Library.shared, !data.isEmpty, data.count <= Int(UInt32.max) else { return nil }
        // zlib keeps the address.
        let stream = UnsafeMutablePointer<Zlib.Stream>.allocate(capacity: 1)
        stream.initialize(to: Zlib.Stream())
        defer { stream.deallocate() }
        // With 32 added to the window, zlib detects gzip and the format that HTTP calls deflate.
        guard zlib.begin(stream, 15 + 32, "1", Int32(MemoryLayout<Zlib.Stream>.size)) == 0 else { return nil }
        defer { _ = zlib.end(stream) }
        return data.withUnsafeBytes { bytes in
            stream.pointee.input = bytes.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.inputCount = UInt32(bytes.count)
            return output(of: stream, by: zlib, limit: limit)
        }
    }

    private static func output(
        of stream: UnsafeMutablePointer<Zlib.Stream>,
        by zlib: Library,
        limit: Int
    ) -> Data? {
        let (going, ended): (Int32, Int32) = (0, 1)
        var result = Data()
        while true {
            var piece = Data(count: pieceLength)
            let code = piece.withUnsafeMutableBytes { output in
                stream.pointee.output = output.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.outputCount = UInt32(output.count)
                return zlib.step(stream, 0)
            }
            let left = Int(stream.pointee.outputCount)
            result += piece.prefix(pieceLength - left)
            if code == ended { return stream.pointee.inputCount == 0 && result.count <= limit ? result : nil }
            // A step without output means that the data is truncated.
            guard code == going, left < pieceLength, result.count <= limit else { return nil }
        }
    }

    private static let pieceLength = 64 << 10

    private struct Library: Sendable {
        typealias Begin =
            @Sendable @convention(c) (
                _ stream: UnsafeMutableRawPointer, _ windowBits: Int32, _ version: UnsafePointer<CChar>, _ size: Int32
            ) -> Int32

        let begin: Begin
        let step: Zlib.Step
        let end: Zlib.End

        static let shared: Library? = {
            guard let library = Zlib.library, let begin = dlsym(library, "inflateInit2_"),
                let step = dlsym(library, "inflate"), let end = dlsym(library, "inflateEnd")
            else { return nil }
            return Library(
                begin: unsafeBitCast(begin, to: Begin.self),
                step: unsafeBitCast(step, to: Zlib.Step.self),
                end: unsafeBitCast(end, to: Zlib.End.self)
            )
        }()
    }
}
