import CLibcurl

/// Undoes the codings of a body, and knows whether it had come to its end.
///
/// libcurl does the first, but takes a body that was cut off for a whole one.
package final class CurlDecoder {
    package enum Fault: Error, Hashable { case wrong, cutOff }

    private let stages: [CurlDecoderStage]

    /// Whether gzip and deflate can be undone here.
    package static var isAvailable: Bool { lc_inflate_available() != 0 }

    /// - Parameter codings: the values of `Content-Encoding`, in order.
    /// - Returns: `nil` where one of them is not known here.
    package init?(codings: [String]) {
        var stages: [CurlDecoderStage] = []
        for coding in codings.reversed() {
            switch coding.lowercased() {
            case "", "identity": break
            case "gzip", "x-gzip": stages.append(CurlDecoderStage(isGzip: true))
            case "deflate": stages.append(CurlDecoderStage(isGzip: false))
            default: return nil
            }
        }
        guard stages.count <= 4, stages.isEmpty || Self.isAvailable else { return nil }
        self.stages = stages
    }

    /// Whether there is nothing to undo.
    package var isTransparent: Bool { stages.isEmpty }

    /// Decodes the next bytes, and hands on what comes out.
    package func decode(_ bytes: UnsafeRawBufferPointer, _ use: (UnsafeRawBufferPointer) throws -> Void) throws {
        try decode(bytes, from: 0, use)
    }

    /// The body has ended. No bytes at all are taken for no body.
    package func finish() throws(Fault) {
        if stages.contains(where: \.isUnfinished) { throw .cutOff }
    }

    private func decode(
        _ bytes: UnsafeRawBufferPointer,
        from number: Int,
        _ use: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard number < stages.count else { return try use(bytes) }
        try stages[number].decode(bytes) { try decode($0, from: number + 1, use) }
    }
}

/// One coding.
private final class CurlDecoderStage {
    private let isGzip: Bool
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 15, alignment: 16)
    private var inflater: OpaquePointer?
    private var hasEnded = false

    init(isGzip: Bool) { self.isGzip = isGzip }

    deinit {
        output.deallocate()
        if let inflater { lc_inflate_destroy(inflater) }
    }

    var isUnfinished: Bool { inflater != nil && !hasEnded }

    func decode(_ bytes: UnsafeRawBufferPointer, _ use: (UnsafeRawBufferPointer) throws -> Void) throws {
        var next = bytes.bindMemory(to: UInt8.self).baseAddress
        var left = bytes.count
        while left > 0, let first = next?.pointee {
            let inflater = try inflater(for: first)
            var result = LC_INFLATE_FULL
            while result == LC_INFLATE_FULL {
                var produced = 0
                result = lc_inflate(inflater, &next, &left, output.baseAddress, output.count, &produced)
                if result == LC_INFLATE_WRONG { throw CurlDecoder.Fault.wrong }
                if produced > 0 { try use(UnsafeRawBufferPointer(rebasing: output[..<produced])) }
            }
            hasEnded = result == LC_INFLATE_END
        }
    }

    /// The decoder for what begins or goes on with a byte.
    private func inflater(for first: UInt8) throws(CurlDecoder.Fault) -> OpaquePointer {
        if let inflater {
            guard hasEnded else { return inflater }
            // Several members in a row are one body; anything else behind the end belongs to nothing.
            guard isGzip, first == 0x1F, lc_inflate_again(inflater) != 0 else { throw .wrong }
            hasEnded = false
            return inflater
        }
        // "deflate" is zlib's format by the book, and what is in it by some servers.
        let isZlib = first & 0x0F == 8
        inflater = lc_inflate_create(isGzip ? LC_CODING_GZIP : isZlib ? LC_CODING_ZLIB : LC_CODING_RAW)
        guard let inflater else { throw .wrong }
        return inflater
    }
}
