#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The compressing half of the system's zlib, found at run time so that nothing has to be linked.
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

    /// `nil` where the system has none.
    static let shared: Zlib? = {
        #if canImport(Darwin)
        let name = "/usr/lib/libz.1.dylib"
        #else
        let name = "libz.so.1"
        #endif
        guard let library = dlopen(name, RTLD_NOW), let begin = dlsym(library, "deflateInit2_"),
            let step = dlsym(library, "deflate"), let end = dlsym(library, "deflateEnd")
        else { return nil }
        return Zlib(
            begin: unsafeBitCast(begin, to: Begin.self),
            step: unsafeBitCast(step, to: Step.self),
            end: unsafeBitCast(end, to: End.self)
        )
    }()
}
