import CLibcurl

/// Decodes a body's content codings in steps of limited work, and detects a truncated body.
///
/// libcurl can decode too, but it accepts a truncated body as complete, and decodes without pausing.
final class CurlDecoder {
    enum Fault: Error, Hashable {
        case wrong, cutOff
        /// A coding's output exceeds the limit.
        case tooLarge
    }

    /// The outcome of one step.
    struct Step: Hashable, Sendable {
        /// The number of consumed input bytes.
        var taken: Int
        /// Whether there is more output without further input.
        var isPaused: Bool
    }

    /// The maximum number of codings for a body. A third would multiply the work that a few bytes cause once more.
    private static let mostCodings = 2

    private let stages: [CurlDecoderStage]

    /// The supported codings, as in `Accept-Encoding`; empty if there are none.
    static let offer: String = {
        var names: [String] = []
        if lc_decoder_available(LC_CODING_GZIP) != 0 { names += ["gzip", "deflate"] }
        if lc_decoder_available(LC_CODING_BROTLI) != 0 { names.append("br") }
        if lc_decoder_available(LC_CODING_ZSTD) != 0 { names.append("zstd") }
        return names.joined(separator: ", ")
    }()

    /// - Parameters:
    ///   - codings: the values of `Content-Encoding`, in order.
    ///   - limit: the maximum number of bytes that each coding may produce.
    /// - Returns: `nil` if one of the codings is unknown, or if there are too many.
    init?(codings: [String], limit: Int64 = .max) {
        var stages: [CurlDecoderStage] = []
        for coding in codings.reversed() {
            guard stages.count <= Self.mostCodings else { return nil }
            switch coding.lowercased() {
            case "", "identity", "none": break
            case "gzip", "x-gzip": stages.append(CurlDecoderStage(LC_CODING_GZIP, limit: limit))
            case "deflate": stages.append(CurlDecoderStage(LC_CODING_ZLIB, limit: limit))
            case "br": stages.append(CurlDecoderStage(LC_CODING_BROTLI, limit: limit))
            case "zstd": stages.append(CurlDecoderStage(LC_CODING_ZSTD, limit: limit))
            default: return nil
            }
        }
        guard stages.count <= Self.mostCodings, stages.allSatisfy({ lc_decoder_available($0.coding) != 0 }) else {
            return nil
        }
        self.stages = stages
    }

    /// Whether the body has no coding.
    var isTransparent: Bool { stages.isEmpty }

    /// Decodes the bytes after the consumed ones.
    ///
    /// - Parameters:
    ///   - budget: the work for this step, approximately the input and output bytes of all codings.
    ///   - use: receives the output, and returns whether to continue.
    func decode(
        _ bytes: UnsafeRawBufferPointer,
        budget: Int = .max,
        _ use: (UnsafeRawBufferPointer) throws -> Bool
    ) throws -> Step {
        guard let last = stages.indices.last else {
            return Step(taken: bytes.count, isPaused: try !bytes.isEmpty && !use(bytes))
        }
        var input = bytes
        var left = budget
        while let output = try pull(last, &input, &left) {
            if try !use(output) { return Step(taken: bytes.count - input.count, isPaused: true) }
        }
        return Step(taken: bytes.count - input.count, isPaused: left <= 0)
    }

    /// Ends the body. An empty input is an empty body.
    func finish() throws(Fault) {
        if stages.contains(where: \.isUnfinished) { throw .cutOff }
    }

    /// The next output of a coding; `nil` if it needs more input or the budget is used up.
    private func pull(
        _ number: Int,
        _ input: inout UnsafeRawBufferPointer,
        _ budget: inout Int
    ) throws -> UnsafeRawBufferPointer? {
        let stage = stages[number]
        while budget > 0 {
            if number == 0 {
                guard !input.isEmpty || stage.hasMore else { return nil }
                if let output = try stage.step(&input, &budget) { return output }
            } else {
                if stage.pending.isEmpty, !stage.hasMore {
                    guard let next = try pull(number - 1, &input, &budget) else { return nil }
                    stage.pending = next
                }
                if let output = try stage.step(&stage.pending, &budget) { return output }
            }
        }
        return nil
    }
}

/// The decoder of one coding.
private final class CurlDecoderStage {
    /// The cost of a call in addition to its bytes.
    private static let costOfCall = 256

    /// The unconsumed output of the previous coding.
    var pending = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Whether there is more output without further input.
    private(set) var hasMore = false
    let coding: LCCoding
    private let limit: Int64
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 15, alignment: 16)
    private var total: Int64 = 0
    private var decoder: OpaquePointer?
    private var hasEnded = false

    init(_ coding: LCCoding, limit: Int64) {
        self.coding = coding
        self.limit = limit
    }

    deinit {
        output.deallocate()
        if let decoder { lc_decoder_destroy(decoder) }
    }

    var isUnfinished: Bool { decoder != nil && !hasEnded }

    /// Decodes a part of the input.
    ///
    /// - Returns: the output, if any.
    func step(_ input: inout UnsafeRawBufferPointer, _ budget: inout Int) throws -> UnsafeRawBufferPointer? {
        let decoder = try hasMore ? self.decoder : input.first.map { try self.decoder(for: $0) }
        guard let decoder else { return nil }
        var next = input.bindMemory(to: UInt8.self).baseAddress
        var left = input.count
        var produced = 0
        let result = lc_decode(decoder, &next, &left, output.baseAddress, output.count, &produced)
        if result == LC_DECODING_WRONG { throw CurlDecoder.Fault.wrong }
        budget -= produced + input.count - left + Self.costOfCall
        input = UnsafeRawBufferPointer(start: input.baseAddress.map { $0 + (input.count - left) }, count: left)
        hasMore = result == LC_DECODING_FULL
        hasEnded = result == LC_DECODING_END
        total += Int64(produced)
        if total > limit { throw CurlDecoder.Fault.tooLarge }
        return produced > 0 ? UnsafeRawBufferPointer(rebasing: output[..<produced]) : nil
    }

    /// The decoder for a body, or for a further member or frame in it, that starts with this byte.
    private func decoder(for first: UInt8) throws(CurlDecoder.Fault) -> OpaquePointer {
        if let decoder {
            guard hasEnded else { return decoder }
            // Consecutive gzip members or Zstandard frames form one body. Other bytes after the end are an error.
            let mayFollow = coding == LC_CODING_GZIP && first == 0x1F || coding == LC_CODING_ZSTD
            guard mayFollow, lc_decoder_again(decoder) != 0 else { throw .wrong }
            hasEnded = false
            return decoder
        }
        // In the standard, "deflate" means the zlib format. Some servers send raw deflate data.
        let isRaw = coding == LC_CODING_ZLIB && first & 0x0F != 8
        decoder = lc_decoder_create(isRaw ? LC_CODING_RAW : coding)
        guard let decoder else { throw .wrong }
        return decoder
    }
}
