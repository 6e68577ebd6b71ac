package import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Undoes the compression of bytes that are all there, by the system's zlib.
package enum Inflater {
    /// Decompresses `gzip` or `deflate`.
    ///
    /// - Returns: `nil` when zlib is missing, the data is malformed or truncated, or the result exceeds the limit.
    package static func inflate(_ data: Data, limit: Int) -> Data? {
        guard let zlib = Library.shared, !data.isEmpty, data.count <= Int(UInt32.max) else { return nil }
        // zlib keeps the address of the stream.
        let stream = UnsafeMutablePointer<Zlib.Stream>.allocate(capacity: 1)
        stream.initialize(to: Zlib.Stream())
        defer { stream.deallocate() }
        // 32 more than the window: zlib looks whether this is gzip or what HTTP calls deflate.
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
            // Cut off where nothing more comes out.
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
            #if canImport(Darwin)
            let name = "/usr/lib/libz.1.dylib"
            #else
            let name = "libz.so.1"
            #endif
            guard let library = dlopen(name, RTLD_NOW), let begin = dlsym(library, "inflateInit2_"),
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
