import Foundation

/// A JSON text that was read, and what decoding its values needs to know.
///
/// Whatever throws here throws on the platform too, and the other way round. Only the errors may differ: where one does of
/// which the platform makes no `DecodingError`, the document is marked, and the platform is asked for the whole.
final class JSONDocument {
    let tokens: [JSONToken]
    let bytes: [UInt8]
    let names: JSONNameStyle
    let userInfo: [CodingUserInfoKey: Any]
    let dates: JSONDecoder.DateDecodingStrategy
    let data: JSONDecoder.DataDecodingStrategy
    private let platform: JSONDecoder
    /// How names read of which only the platform knows.
    private var oddNames: [String: String] = [:]
    /// Whether something came up that the platform refuses in a way of its own.
    private(set) var isUnsure = false

    /// Nothing where the scanner does not take the text.
    init?(_ data: Data, platform: JSONDecoder, names: JSONNameStyle) {
        guard JSONScanner.takes(count: data.count) else { return nil }
        let bytes = data.withUnsafeBytes { [UInt8]($0) }
        guard let tokens = bytes.withUnsafeBufferPointer(JSONScanner.tokens) else { return nil }
        self.tokens = tokens
        self.bytes = bytes
        self.names = names
        self.platform = platform
        userInfo = platform.userInfo
        dates = platform.dateDecodingStrategy
        self.data = platform.dataDecodingStrategy
    }

    /// The error for what the platform refuses in a way of its own.
    ///
    /// A type may catch it and go on; the mark stays.
    func unsure() -> DecodingError {
        isUnsure = true
        return DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "the platform says why"))
    }

    /// What the platform makes of one value that needs more than is done here.
    func asked<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
        let content = tokens[index].content
        let quotes = kind(of: index) == .string ? 1 : 0
        let text = Data(bytes[(content.lowerBound - quotes)..<(content.upperBound + quotes)])
        guard let value = try? platform.decode(type, from: text) else { throw unsure() }
        return value
    }

    /// The name that types ask for.
    func name(for written: String) throws -> String {
        if let name = names.name(for: written) ?? oddNames[written] { return name }
        let text = try JSONEncoder().encode([written: 0])
        guard let name = try? platform.decode(JSONNameProbe.self, from: text).name else { throw unsure() }
        oddNames[written] = name
        return name
    }

    /// The index of a null that is not part of the text.
    var null: Int { tokens.count - 1 }

    func kind(of index: Int) -> JSONToken.Kind { tokens[index].kind }

    /// The string of a token that is one.
    func text(of token: JSONToken) -> String {
        bytes.withUnsafeBufferPointer { bytes in
            guard token.trait != .escaped else { return JSONBytes(bytes).unescaped(token.content) }
            return String(decoding: UnsafeBufferPointer(rebasing: bytes[token.content]), as: UTF8.self)
        }
    }
}

/// Finds out how a decoder reads a name.
private struct JSONNameProbe: Decodable {
    let name: String?

    init(from decoder: any Decoder) throws {
        name = try decoder.container(keyedBy: JSONMemberKey.self).allKeys.first?.stringValue
    }
}
