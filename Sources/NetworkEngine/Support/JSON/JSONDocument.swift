import Foundation

/// A JSON text that was read, and what decoding its values needs to know.
///
/// Whatever throws here throws on the platform too, and the other way round. Where neither is known, the document is marked,
/// and the platform is asked for the whole.
final class JSONDocument {
    let tokens: [JSONToken]
    let bytes: [UInt8]
    let names: JSONNameStyle
    let userInfo: [CodingUserInfoKey: Any]
    let dates: JSONDecoder.DateDecodingStrategy
    let data: JSONDecoder.DataDecodingStrategy
    private let platform: JSONDecoder
    /// Whether something came up of which it is not known what the platform makes of it.
    private(set) var isUnsure = false
    /// Whether an error was thrown that the platform throws with another path.
    var failsInItsOwnWay = false
    /// The words of errors: types that try what a value is have the same ones over and over.
    private var words: [Words: String] = [:]

    private struct Words: Hashable {
        let type: ObjectIdentifier
        let kind: JSONToken.Kind
    }

    init(_ data: Data, _ tokens: [JSONToken], platform: JSONDecoder, names: JSONNameStyle) {
        self.tokens = tokens
        bytes = data.withUnsafeBytes { [UInt8]($0) }
        self.names = names
        self.platform = platform
        userInfo = platform.userInfo
        dates = platform.dateDecodingStrategy
        self.data = platform.dataDecodingStrategy
    }

    /// The error for what the platform may refuse or not.
    ///
    /// A type may catch it and go on; the mark stays.
    func unsure() -> DecodingError {
        isUnsure = true
        return DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "the platform says why"))
    }

    /// What the platform makes of one value that needs more than is done here.
    func asked<Value: Decodable>(
        _ type: Value.Type, at index: Int, orThrow refusal: @autoclosure () -> any Error
    ) throws -> Value {
        let content = tokens[index].content
        let quotes = kind(of: index) == .string ? 1 : 0
        let text = Data(bytes[(content.lowerBound - quotes)..<(content.upperBound + quotes)])
        guard let value = try? platform.decode(type, from: text) else { throw refusal() }
        return value
    }

    func words(of type: Any.Type, _ kind: JSONToken.Kind) -> String {
        let key = Words(type: ObjectIdentifier(type), kind: kind)
        if let known = words[key] { return known }
        let new = kind.words(for: type)
        words[key] = new
        return new
    }

    /// The index of a null that is not part of the text.
    var null: Int { tokens.count - 1 }

    func kind(of index: Int) -> JSONToken.Kind { tokens[index].kind }

    func bool(at index: Int, _ path: Path) throws -> Bool {
        switch kind(of: index) {
        case .yes: true
        case .no: false
        default: throw mismatch(Bool.self, at: index, path)
        }
    }

    func string(at index: Int, _ path: Path) throws -> String {
        let token = tokens[index]
        guard token.kind == .string else { throw mismatch(String.self, at: index, path) }
        return text(of: token)
    }

    /// The string of a token that is one.
    func text(of token: JSONToken) -> String {
        bytes.withUnsafeBufferPointer { bytes in
            guard token.trait != .escaped else { return JSONBytes(bytes).unescaped(token.content) }
            return String(decoding: UnsafeBufferPointer(rebasing: bytes[token.content]), as: UTF8.self)
        }
    }
}
