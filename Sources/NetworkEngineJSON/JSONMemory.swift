import Foundation

/// The memory for the bytes and tokens of a document.
final class JSONMemory {
    private var bytes = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
    /// `nil` while a text is scanned.
    private var tokens: JSONTokenList?

    deinit { bytes.deallocate() }

    /// Copies a text, and finds its tokens. What it returns points into this memory.
    func scan(_ text: UnsafeRawBufferPointer) -> (JSONScanner.Outcome, JSONTokens, JSONBytes) {
        var buffer = bytes
        if buffer.count < text.count {
            buffer.deallocate()
            buffer = .allocate(capacity: max(text.count, 64))
            bytes = buffer
        }
        UnsafeMutableRawBufferPointer(buffer).copyMemory(from: text)
        let copy = JSONBytes(UnsafeBufferPointer(rebasing: buffer.prefix(text.count)))
        var tokens = self.tokens.take() ?? JSONTokenList(capacity: JSONScanner.likelyTokens(in: text.count))
        tokens.removeAll()
        let outcome = JSONScanner.scan(copy, &tokens)
        let view = tokens.view
        self.tokens = consume tokens
        return (outcome, view, copy)
    }

    /// Whether it costs little to keep.
    var isSmall: Bool { bytes.count <= 64 << 10 && (tokens?.capacity ?? 0) <= 16 << 10 }
}
