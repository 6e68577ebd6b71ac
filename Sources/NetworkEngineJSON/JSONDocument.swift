import Foundation

/// A scanned JSON text, the memory for it, and the settings of the decoder that reads it.
///
/// Decoding throws exactly where Foundation's decoder throws. If Foundation's behavior is unknown, the document is
/// marked with `needsFallback`, and Foundation decodes the whole text again.
///
/// Each access to a property ends before the next one begins. Checking this at run time would cost as much as reading a
/// small member.
final class JSONDocument {
    let settings: JSONSettings
    /// The text. It points into the document's memory.
    @exclusivity(unchecked) private(set) var text: JSONText
    /// Whether Foundation must decode the document.
    @exclusivity(unchecked) private(set) var needsFallback = false
    /// Whether an error was thrown that Foundation throws with a different path.
    @exclusivity(unchecked) var errorNeedsFoundation = false
    @exclusivity(unchecked) private var bytes = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
    /// `nil` while a text is scanned.
    @exclusivity(unchecked) private var tokens: JSONTokenList?
    /// Error texts. Types that try several interpretations cause the same errors again and again.
    private var errorTexts: [ErrorText: String] = [:]

    private struct ErrorText: Hashable {
        let type: ObjectIdentifier
        let kind: JSONToken.Kind
    }

    init(_ settings: JSONSettings) {
        self.settings = settings
        text = JSONText(keyStyle: settings.keyStyle)
    }

    deinit { bytes.deallocate() }

    /// Copies a text, and finds its tokens. The previous text is discarded.
    func scan(_ text: UnsafeRawBufferPointer) -> JSONScanner.Outcome {
        (needsFallback, errorNeedsFoundation) = (false, false)
        if bytes.count < text.count {
            bytes.deallocate()
            bytes = .allocate(capacity: max(text.count, 64))
        }
        UnsafeMutableRawBufferPointer(bytes).copyMemory(from: text)
        let copy = JSONBytes(UnsafeBufferPointer(rebasing: bytes.prefix(text.count)))
        var tokens = self.tokens.take() ?? JSONTokenList(capacity: JSONScanner.likelyTokens(in: text.count))
        tokens.removeAll()
        let outcome = JSONScanner.scan(copy, &tokens)
        self.text = JSONText(tokens: tokens.view, bytes: copy, keyStyle: settings.keyStyle)
        self.tokens = consume tokens
        return outcome
    }

    /// Whether its memory costs little to keep.
    var isSmall: Bool { bytes.count <= 64 << 10 && (tokens?.capacity ?? 0) <= 16 << 10 }

    var keyStyle: JSONKeyStyle { text.keyStyle }

    /// Marks the document, and returns an error to throw.
    ///
    /// A type may catch the error and continue; the mark remains.
    func fallBack() -> DecodingError {
        needsFallback = true
        return .corrupted("decoded by Foundation", at: [])
    }

    /// Decodes one value that requires more than this decoder supports.
    func decodeWithFoundation<Value: Decodable>(
        _ type: Value.Type, at index: Int, orThrow refusal: @autoclosure () -> any Error
    ) throws -> Value {
        let content = text.tokens[index].content
        let quotes = kind(of: index) == .string ? 1 : 0
        let text = Data(text.bytes[(content.lowerBound - quotes)..<(content.upperBound + quotes)])
        guard let value = try? settings.decoder.decode(type, from: text) else { throw refusal() }
        return value
    }

    func errorText(for type: Any.Type, _ kind: JSONToken.Kind) -> String {
        let key = ErrorText(type: ObjectIdentifier(type), kind: kind)
        if let known = errorTexts[key] { return known }
        let new = kind.errorText(for: type)
        errorTexts[key] = new
        return new
    }

    /// The index of a null that is not part of the text.
    var null: Int { text.tokens.count - 1 }

    func kind(of index: Int) -> JSONToken.Kind { text.kind(of: index) }

    func bool(at index: Int, _ path: Path) throws -> Bool {
        guard let value = text.bool(at: index) else { throw mismatch(Bool.self, at: index, path) }
        return value
    }

    func string(at index: Int, _ path: Path) throws -> String {
        guard let value = text.string(at: index) else { throw mismatch(String.self, at: index, path) }
        return value
    }
}

// Members of objects.
extension JSONDocument {
    /// The indices of an object's values by name, for objects with many members or with names that need conversion.
    ///
    /// If several members have the same name, the first one is used. Names are compared like strings: a letter followed
    /// by a combining accent equals the accented letter.
    func members(of object: Int) -> [String: Int]? {
        let token = text.tokens[object]
        guard token.trait == .wide || token.count > 32 || hasUnusualNames(object) else { return nil }
        var members: [String: Int] = [:]
        members.reserveCapacity(min(Int(token.count), 1_024))
        text.forEachMember(of: object) { name, value in
            let name = keyStyle.key(for: name)
            if members[name] == nil { members[name] = value }
        }
        return members
    }

    /// Whether a name cannot be converted to camel case byte by byte.
    private func hasUnusualNames(_ object: Int) -> Bool {
        guard keyStyle == .camelCase else { return false }
        var isUnusual = false
        text.forEachName(of: object) {
            if CamelCase(text.bytes, text.tokens[$0].content) == nil { isUnusual = true }
        }
        return isUnusual
    }
}
