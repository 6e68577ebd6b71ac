import Foundation
import NetworkEngine

/// Decodes a response body's content codings, and pauses while the reader is behind.
struct CurlBodyDecoder {
    /// The result of receiving bytes.
    enum Reception {
        case taken
        /// libcurl will pass the same bytes again, starting with the first one.
        case paused
        case stopped
        case failed(AbortReason)
    }

    /// The number of bytes that must arrive, if declared in the head and not decoded.
    private(set) var length: Int64?
    /// The number of decoded bytes that were passed on.
    private(set) var received: Int64 = 0
    private var limit: Int64 = .max
    private var decoder: CurlDecoder?
    /// Whether a stream's reader is behind.
    private(set) var isFull = false
    /// Whether there is more to decode than one turn allows.
    private(set) var isResting = false
    /// The number of bytes that were already decoded and will be passed again.
    private var decoded = 0

    /// The work in one turn, before other exchanges continue: about two milliseconds.
    private static let budget = 1 << 20

    /// Creates a decoder for an empty body.
    init() {}

    /// - Parameter limit: the maximum number of bytes that each coding may produce.
    init(_ head: CurlHead, hasBody: Bool, decodes: Bool, limit: Int64) {
        self.limit = limit
        // A body in another coding is passed on unchanged, including the field that specifies the coding.
        if decodes, !head.codings.isEmpty, let decoder = CurlDecoder(codings: head.codings, limit: limit),
            !decoder.isTransparent
        {
            self.decoder = decoder
        }
        length = hasBody && decoder == nil ? head.bodyLength : nil
    }

    /// Whether the body is decoded.
    var decodes: Bool { decoder != nil }

    /// Whether libcurl may keep bytes that were not accepted.
    var isHalted: Bool { isFull || isResting }

    /// The stream's reader has space again.
    mutating func makeRoom() { isFull = false }

    /// Decodes bytes and passes them on.
    mutating func receive(
        _ bytes: UnsafeRawBufferPointer,
        passingTo use: (UnsafeRawBufferPointer) -> Exchange.Flow
    ) -> Reception {
        if isFull { return .paused }
        guard let decoder else { return pass(bytes, use) ? .taken : .stopped }
        let old = min(decoded, bytes.count)
        var isStopped = false
        do {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[old...])
            let step = try decoder.decode(rest, budget: Self.budget) { part in
                isStopped = !pass(part, use)
                return !isStopped && !isFull
            }
            if isStopped { return .stopped }
            isResting = step.isPaused && !isFull
            decoded = step.isPaused ? max(decoded, old + step.taken) : decoded - old
            return step.isPaused ? .paused : .taken
        } catch CurlDecoder.Fault.tooLarge {
            return .failed(.bodyTooLarge(limit: limit))
        } catch {
            return .failed(.contentCoding("the body is not what its content coding says"))
        }
    }

    private mutating func pass(
        _ bytes: UnsafeRawBufferPointer,
        _ use: (UnsafeRawBufferPointer) -> Exchange.Flow
    ) -> Bool {
        received += Int64(bytes.count)
        switch use(bytes) {
        case .more: return true
        case .pause:
            isFull = true
            return true
        case .stop: return false
        }
    }

    /// Why the received bytes are not the whole body.
    func finish() -> AbortReason? {
        do {
            try decoder?.finish()
            return nil
        } catch {
            return .contentCoding("the body ends before its content coding does")
        }
    }
}
