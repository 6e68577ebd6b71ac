package import Foundation

extension JSONDecoder {
    /// Decodes faster than this decoder, with the same value or error; `nil` if the result requires this decoder.
    ///
    /// The decoder itself is required for unsupported settings, and for a value that keeps its `Decoder` after
    /// decoding.
    func decodeFast<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value? {
        Self.hasKnownBehavior ? try decodeOnAnyPlatform(type, from: data) : nil
    }

    /// Decodes with the fast decoder if possible, otherwise with this one; unsafe documents are rejected.
    ///
    /// Some documents crash the process when Foundation decodes them.
    package func decodeSafely<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        if let value = try decodeFast(type, from: data) { return value }
        return try decodeSlowly(type, from: data)
    }

    /// Decodes with this decoder; unsafe documents are rejected.
    func decodeSlowly<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        if !allowsJSON5, data.endsTooDeep { throw DecodingError.notJSON }
        // A subclass may read a format other than JSON.
        guard allowsJSON5, Swift.type(of: self) == JSONDecoder.self else { return try decode(type, from: data) }
        guard let text = data.safeJSON5 else { throw DecodingError.notJSON }
        return try decode(type, from: text)
    }

    /// Decodes one of this package's types, with the fast decoder on every platform.
    ///
    /// Such a type does not depend on the differences between the systems' decoders.
    package func decodeInternal<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try decodeOnAnyPlatform(type, from: data) ?? decodeSlowly(type, from: data)
    }

    private func decodeOnAnyPlatform<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value? {
        guard let settings = JSONSettings(self) else { return nil }
        var document: JSONDocument?
        do {
            return try data.withUnsafeBytes { try settings.decode(type, from: $0, in: &document) }
        } catch is JSONSettings.NeedsDecoder {
            return nil
        }
    }

    #if canImport(Darwin)
    /// The decoders on Apple platforms differ between versions, and none has been compared with this one.
    static let hasKnownBehavior = false
    #else
    static let hasKnownBehavior = true
    #endif
}

extension Data {
    /// Whether the data is JSON for this decoder or for Foundation.
    var isJSON: Bool {
        var tokens = JSONTokenList(capacity: JSONScanner.likelyTokens(in: count))
        switch withUnsafeBytes({ JSONScanner.scan(JSONBytes($0.bindMemory(to: UInt8.self)), &tokens) }) {
        case .isRead: return true
        case .isInvalid: return false
        case .needsFallback: break
        }
        return !endsTooDeep && (try? JSONSerialization.jsonObject(with: self, options: .fragmentsAllowed)) != nil
    }

    /// Whether the document ends with the bracket that exceeds the maximum depth.
    ///
    /// Foundation's decoder traps there while it creates its error (Foundation of Swift 6.3; not the JSON5 reader).
    /// Such a text is not a document in any case.
    fileprivate var endsTooDeep: Bool {
        guard let last = suffix(4).last(where: { $0 != 0 }), last == UInt8(ascii: "[") || last == UInt8(ascii: "{")
        else {
            return false
        }
        // Encodings other than UTF-8 have zeros or a byte order mark at the start. Their bytes may not be brackets.
        return prefix(4).contains { $0 == 0 || $0 >= 0xFE } || depthAtEnd > 512
    }

    /// The number of open brackets at the end of the document, outside of strings.
    private var depthAtEnd: Int {
        var (depth, isInString, isEscaped) = (0, false, false)
        for byte in self {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = isInString
            case UInt8(ascii: "\""): isInString.toggle()
            case _ where isInString: break
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
        return depth
    }
}
