import Foundation

@testable import NetworkEngineTesting

/// The content codings, with encoders that are looked up at run time.
enum Coder: String, CaseIterable, Sendable {
    case gzip
    case brotli = "br"
    case zstd

    /// Whether the system has the encoder.
    var isAvailable: Bool { encoded(Data("a".utf8)) != nil }

    static let available = allCases.filter(\.isAvailable)

    /// The encoded data; `nil` if the encoder is missing.
    func encoded(_ data: Data) -> Data? {
        switch self {
        case .gzip:
            if case .data(let bytes) = LoopbackResponse.data(data).gzipped().body { bytes } else { nil }
        case .brotli: Self.brotli(data)
        case .zstd: Self.zstd(data)
        }
    }

    private static func brotli(_ data: Data) -> Data? {
        typealias Encode =
            @convention(c) (
                Int32, Int32, Int32, Int, UnsafePointer<UInt8>?, UnsafeMutablePointer<Int>, UnsafeMutablePointer<UInt8>?
            ) -> Int32
        guard let encode = function("BrotliEncoderCompress", in: "libbrotlienc.so.1", as: Encode.self) else {
            return nil
        }
        let (quality, windowBits, generic): (Int32, Int32, Int32) = (5, 22, 0)
        var output = [UInt8](repeating: 0, count: data.count + data.count / 2 + 1_024)
        var count = output.count
        let bytes = Array(data)
        guard encode(quality, windowBits, generic, bytes.count, bytes, &count, &output) == 1 else { return nil }
        return Data(output.prefix(count))
    }

    /// - Parameter windowBits: the window size as a power of two; the library's default if omitted.
    static func zstd(_ data: Data, windowBits: Int32? = nil) -> Data? {
        typealias Create = @convention(c) () -> OpaquePointer?
        typealias Set = @convention(c) (OpaquePointer, Int32, Int32) -> Int
        typealias Compress =
            @convention(c) (OpaquePointer, UnsafeMutablePointer<UInt8>, Int, UnsafePointer<UInt8>, Int) -> Int
        typealias Free = @convention(c) (OpaquePointer) -> Int
        let library = "libzstd.so.1"
        guard let create = function("ZSTD_createCCtx", in: library, as: Create.self),
            let set = function("ZSTD_CCtx_setParameter", in: library, as: Set.self),
            let compress = function("ZSTD_compress2", in: library, as: Compress.self),
            let free = function("ZSTD_freeCCtx", in: library, as: Free.self), let context = create()
        else { return nil }
        defer { _ = free(context) }
        let windowLog: Int32 = 101
        if let windowBits { _ = set(context, windowLog, windowBits) }
        var output = [UInt8](repeating: 0, count: data.count + data.count / 2 + 1_024)
        let count = compress(context, &output, output.count, Array(data), data.count)
        return count <= output.count ? Data(output.prefix(count)) : nil
    }

    private static func function<Function>(_ name: String, in library: String, as type: Function.Type) -> Function? {
        guard let library = dlopen(library, RTLD_NOW), let address = dlsym(library, name) else { return nil }
        return unsafeBitCast(address, to: type)
    }
}
