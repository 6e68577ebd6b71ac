import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// An endless body that decodes to nothing. Each chunk of a few kilobytes contains ten megabytes or more of empty
/// parts.
struct EndlessNothing: Sendable, CustomTestStringConvertible {
    let codings: String
    let first: Data
    let rest: Data

    var testDescription: String { codings }

    static let available = [gzip, zstd, brotli].compactMap(\.self)

    /// Empty gzip members.
    private static let gzip: EndlessNothing? = {
        let inner = repeated(Gzip.stored(Data()))
        guard let deflater = Deflater(.gzip), let outer = try? deflater.deflate(inner) + deflater.finish() else {
            return nil
        }
        return EndlessNothing(codings: "gzip, gzip", first: outer, rest: outer)
    }()

    /// Empty zstd frames.
    private static let zstd: EndlessNothing? = {
        guard let empty = Coder.zstd.encoded(Data()), let outer = Coder.zstd.encoded(repeated(empty)) else {
            return nil
        }
        return EndlessNothing(codings: "zstd, zstd", first: outer, rest: outer)
    }()

    /// Empty Brotli metadata blocks of one byte. The first byte of a stream also contains the window size.
    private static let brotli: EndlessNothing? = {
        guard Coder.brotli.isAvailable, let first = Coder.zstd.encoded(Data([0x0C])),
            let rest = Coder.zstd.encoded(repeated(Data([0x06])))
        else { return nil }
        return EndlessNothing(codings: "br, zstd", first: first, rest: rest)
    }()

    private static func repeated(_ part: Data) -> Data {
        var bytes = part
        while bytes.count < 10_000_000 { bytes += bytes }
        return bytes
    }
}
