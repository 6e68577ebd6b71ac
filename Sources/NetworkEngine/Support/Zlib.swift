package import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The system's zlib, loaded at run time so that nothing has to be linked.
package enum Zlib {
    /// `z_stream`; zlib compares the size with its own.
    package struct Stream {
        package var input: UnsafePointer<UInt8>?
        package var inputCount: UInt32 = 0
        var inputTotal: UInt = 0
        package var output: UnsafeMutablePointer<UInt8>?
        package var outputCount: UInt32 = 0
        var outputTotal: UInt = 0
        var message: UnsafePointer<CChar>?
        var state: OpaquePointer?
        var allocate: OpaquePointer?
        var deallocate: OpaquePointer?
        var context: OpaquePointer?
        /// After a decompression step, where it stopped in the compressed data.
        package var kind: Int32 = 0
        var check: UInt = 0
        var reserved: UInt = 0

        package init() {}
    }

    package typealias BeginDeflating =
        @Sendable @convention(c) (
            _ stream: UnsafeMutableRawPointer, _ level: Int32, _ method: Int32, _ windowBits: Int32, _ memory: Int32,
            _ strategy: Int32, _ version: UnsafePointer<CChar>, _ size: Int32
        ) -> Int32
    package typealias BeginInflating =
        @Sendable @convention(c) (
            _ stream: UnsafeMutableRawPointer, _ windowBits: Int32, _ version: UnsafePointer<CChar>, _ size: Int32
        ) -> Int32
    package typealias Step = @Sendable @convention(c) (_ stream: UnsafeMutableRawPointer, _ flush: Int32) -> Int32
    package typealias Action = @Sendable @convention(c) (_ stream: UnsafeMutableRawPointer) -> Int32

    /// The functions for one direction.
    package struct Functions<Begin: Sendable>: Sendable {
        package let begin: Begin
        package let step: Step
        package let reset: Action
        package let end: Action
    }

    package static let deflating = functions(
        "deflateInit2_", "deflate", reset: "deflateReset", "deflateEnd", as: BeginDeflating.self)
    package static let inflating = functions(
        "inflateInit2_", "inflate", reset: "inflateReset", "inflateEnd", as: BeginInflating.self)

    /// A function of the library; `nil` if the system has none.
    ///
    /// - Parameter type: the C type of the function.
    package static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        #if canImport(Darwin)
        let library = dlopen("/usr/lib/libz.1.dylib", RTLD_NOW)
        #elseif canImport(Android)
        let library = dlopen("libz.so", RTLD_NOW)
        #else
        let library = dlopen("libz.so.1", RTLD_NOW)
        #endif
        guard let library, let address = dlsym(library, name) else { return nil }
        return unsafeBitCast(address, to: type)
    }

    private static func functions<Begin>(
        _ begin: String,
        _ step: String,
        reset: String,
        _ end: String,
        as type: Begin.Type
    ) -> Functions<Begin>? {
        guard let begin = function(begin, as: type), let step = function(step, as: Step.self),
            let reset = function(reset, as: Action.self), let end = function(end, as: Action.self)
        else { return nil }
        return Functions(begin: begin, step: step, reset: reset, end: end)
    }
}

/// Compresses a sequence of pieces.
package final class Deflater {
    package enum Format: Sendable {
        case gzip
        /// The format that HTTP calls `deflate`.
        case zlib
    }

    struct Failed: Error { let code: Int32 }

    /// Whether the system has zlib.
    static var isAvailable: Bool { Zlib.deflating != nil }

    private static let outputLength = 64 << 10
    /// The maximum input size. zlib counts bytes in 32 bits.
    private let inputLength: Int
    private let zlib: Zlib.Functions<Zlib.BeginDeflating>
    /// Allocated, because zlib keeps the address.
    private let stream: UnsafeMutablePointer<Zlib.Stream>

    /// Returns `nil` if the system has no zlib or no memory.
    package init?(_ format: Format, inputLength: Int = 1 << 30) {
        guard let zlib = Zlib.deflating else { return nil }
        self.zlib = zlib
        self.inputLength = min(max(1, inputLength), Int(clamping: UInt32.max))
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

    /// Ends the compression and returns the remaining output.
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
