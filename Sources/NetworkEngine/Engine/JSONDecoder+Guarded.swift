package import Foundation

extension JSONDecoder {
    /// Decodes, quickly where that gives the same, unless the document would end the process.
    ///
    /// The platform's decoder traps in its own error when a document ends with the very bracket that is one too deep: a
    /// body of 513 `[` (Foundation of Swift 6.3). What ends with an opening bracket is no document, so nothing is lost.
    package func guarded<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        if data.endsWithOpeningBracket {
            let words = "The document ends inside of an array or object."
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: words))
        }
        if let value = try quick(type, from: data) { return value }
        return try decode(type, from: data)
    }
}

extension Data {
    /// Whether the last character is `[` or `{`, in UTF-8, 16 or 32.
    var endsWithOpeningBracket: Bool {
        let last = suffix(4).last { $0 != 0 }
        return last == UInt8(ascii: "[") || last == UInt8(ascii: "{")
    }
}
