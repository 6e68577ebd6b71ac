#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// libcrypto's SHA-256, where the process has it: on a processor with instructions for it, it is many times as fast as ours.
package struct LibcryptoSHA256: Sendable {
    /// `SHA256_CTX`, which begins with the hash, and room to spare.
    private struct Context {
        var hash: SIMD8<UInt32>
        var rest = (SIMD16<UInt32>.zero, SIMD16<UInt32>.zero)
    }

    private typealias Update =
        @Sendable @convention(c) (_ context: UnsafeMutableRawPointer, _ bytes: UnsafeRawPointer, _ count: Int) -> Int32

    private let update: Update

    /// `nil` where there is none, or one that does not do what ours does.
    package static let shared: LibcryptoSHA256? = {
        #if os(Linux)
        // In the process already, when FoundationNetworking is: its libcurl brings it.
        guard let library = dlopen(nil, RTLD_NOW), let update = dlsym(library, "SHA256_Update") else { return nil }
        let found = LibcryptoSHA256(update: unsafeBitCast(update, to: Update.self))
        let block: [UInt8] = Array(0..<128)
        let isRight = block.withUnsafeBytes {
            found.hash(SHA256Blocks.start, $0) == SHA256Blocks.hash(SHA256Blocks.start, $0)
        }
        return isRight ? found : nil
        #else
        return nil
        #endif
    }()

    /// The hash after blocks of 64 bytes; `nil` when libcrypto fails.
    package func hash(_ hash: SIMD8<UInt32>, _ blocks: UnsafeRawBufferPointer) -> SIMD8<UInt32>? {
        guard let start = blocks.baseAddress else { return hash }
        var context = Context(hash: hash)
        return update(&context, start, blocks.count) == 1 ? context.hash : nil
    }
}
