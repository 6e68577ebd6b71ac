import Foundation

/// A JSON text that was scanned, and the options of the decoder that reads it.
///
/// Decoding throws exactly where Foundation's decoder throws. Where Foundation's behavior is not known, the document is
/// marked with `needsFallback`, and Foundation decodes the whole text again.
final class JSONDocument {
    let tokens: [JSONToken]
    let bytes: [UInt8]
    let keyStyle: JSONKeyStyle
    let userInfo: [CodingUserInfoKey: Any]
    let dates: JSONDecoder.DateDecodingStrategy
    let data: JSONDecoder.DataDecodingStrategy
    private let decoder: JSONDecoder
    /// Whether Foundation has to decode the document.
    private(set) var needsFallback = false
    /// Whether an error was thrown that Foundation throws with another path.
    var errorNeedsFoundation = false
    /// The texts of errors. Types that try several interpretations cause the same errors again and again.
    private var errorTexts: [ErrorText: String] = [:]

    private struct ErrorText: Hashable {
        let type: ObjectIdentifier
        let kind: JSONToken.Kind
    }

    init(_ data: Data, _ tokens: [JSONToken], decoder: JSONDecoder, keyStyle: JSONKeyStyle) {
        self.tokens = tokens
        bytes = data.withUnsafeBytes { [UInt8]($0) }
        self.keyStyle = keyStyle
        self.decoder = decoder
        userInfo = decoder.userInfo
        dates = decoder.dateDecodingStrategy
        self.data = decoder.dataDecodingStrategy
    }

    /// Marks the document, and returns an error to throw.
    ///
    /// A type may catch the error and continue; the mark stays.
    func fallBack() -> DecodingError {
        needsFallback = true
        return .corrupted("decoded by Foundation", at: [])
    }

    /// Decodes one value that needs more than this decoder does.
    func decodeWithFoundation<Value: Decodable>(
        _ type: Value.Type, at index: Int, orThrow refusal: @autoclosure () -> any Error
    ) throws -> Value {
        let content = tokens[index].content
        let quotes = kind(of: index) == .string ? 1 : 0
        let text = Data(bytes[(content.lowerBound - quotes)..<(content.upperBound + quotes)])
        guard let value = try? decoder.decode(type, from: text) else { throw refusal() }
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
    var null: Int { tokens.count - 1 }

    func kind(of index: Int) -> JSONToken.Kind { tokens[index].kind }

    func bool(at index: Int, _ path: Path) throws -> Bool {
        switch kind(of: index) {
        case .true: true
        case .false: false
        default: throw mismatch(Bool.self, at: index, path)
        }
    }

    func string(at index: Int, _ path: Path) throws -> String {
        let token = tokens[index]
        guard token.kind == .string else { throw mismatch(String.self, at: index, path) }
        return text(of: token)
    }

    /// The text of a string, name or number.
    func text(of token: JSONToken) -> String {
        bytes.withUnsafeBufferPointer { bytes in
            guard token.trait != .escaped else { return JSONBytes(bytes).unescaped(token.content) }
            return String(decoding: UnsafeBufferPointer(rebasing: bytes[token.content]), as: UTF8.self)
        }
    }
}

// Members of objects.
extension JSONDocument {
    /// The indices of an object's values by name, for objects with many members or with names that need conversion.
    ///
    /// The first of several members with the same name counts. Names are compared as strings are: a letter followed by
    /// a combining accent equals the accented letter.
    func members(of object: Int) -> [String: Int]? {
        let token = tokens[object]
        guard token.trait == .wide || token.count > 32 || hasUnusualNames(object) else { return nil }
        var members: [String: Int] = [:]
        members.reserveCapacity(min(Int(token.count), 1_024))
        forEachMember(of: object) { name, value in
            let name = keyStyle.key(for: name)
            if members[name] == nil { members[name] = value }
        }
        return members
    }

    /// Whether a name cannot be converted to camel case byte by byte.
    private func hasUnusualNames(_ object: Int) -> Bool {
        guard keyStyle == .camelCase else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            names(of: object).contains { CamelCase(JSONBytes(bytes), tokens[$0].content) == nil }
        }
    }

    /// Passes the names and the indices of the values in the order of the text.
    func forEachMember(of object: Int, _ body: (_ name: String, _ value: Int) throws -> Void) rethrows {
        for name in names(of: object) { try body(text(of: tokens[name]), name + 1) }
    }

    /// The index of a member's value, in an object without a dictionary of its members.
    func value(named name: String, in object: Int) -> Int? {
        var name = name
        let found = name.withUTF8 { value(named: $0, in: object) }
        guard found == nil, !name.utf8.allSatisfy({ $0 < 0x80 }) else { return found }
        var same: Int?
        forEachMember(of: object) { if same == nil, keyStyle.key(for: $0) == name { same = $1 } }
        return same
    }

    private func value(named name: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            for index in names(of: object) {
                let content = tokens[index].content
                let isSame =
                    switch keyStyle {
                    case .asWritten: content.count == name.count && bytes[content].elementsEqual(name)
                    case .camelCase: CamelCase(JSONBytes(bytes), content)?.equals(name) == true
                    }
                if isSame { return index + 1 }
            }
            return nil
        }
    }

    /// The indices of the names.
    private func names(of object: Int) -> some Sequence<Int> {
        sequence(state: object + 1) { [tokens, end = Int(tokens[object].next)] index in
            guard index < end else { return nil }
            defer { index = Int(tokens[index + 1].next) }
            return index
        }
    }
}
