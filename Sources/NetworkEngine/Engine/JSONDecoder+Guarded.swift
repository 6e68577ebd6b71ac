package import Foundation

extension JSONDecoder {
    /// Decodes, quickly where that gives the same, unless the document would end the process.
    package func guarded<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        if let value = try quick(type, from: data) { return value }
        if !allowsJSON5, data.endsTooDeep { throw JSONDocument.notJSON }
        return try decode(type, from: data)
    }
}

extension Data {
    /// Whether the document ends with the very bracket that is one too deep.
    ///
    /// The platform's decoder traps there in its own error (Foundation of Swift 6.3; not in what reads JSON5). It is no
    /// document, so nothing is lost.
    var endsTooDeep: Bool {
        guard let last = suffix(4).last(where: { $0 != 0 }), last == UInt8(ascii: "[") || last == UInt8(ascii: "{")
        else {
            return false
        }
        // In other encodings than UTF-8, which have zeros or a mark at the start, no byte is sure to be a bracket.
        return prefix(4).contains { $0 == 0 || $0 >= 0xFE } || depthAtEnd > 512
    }

    /// How many brackets are open at the end of a document, but for those in strings.
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
