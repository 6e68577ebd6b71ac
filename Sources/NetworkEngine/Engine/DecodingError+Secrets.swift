import Foundation

/// A key with a name that a caller wrote, although its type accepts any name.
protocol CallersKey: CodingKey {}

/// Replaces a key that comes from the body.
struct HiddenKey: CodingKey {
    static let text = "…"

    var stringValue: String { Self.text }
    var intValue: Int? { nil }

    init() {}
    init?(stringValue: String) { return nil }
    init?(intValue: Int) { return nil }
}

extension CodingKey {
    /// Whether the name comes from code: a case of an enum.
    ///
    /// The keys of dictionaries, and of types that take any name, come from the body, and may be secret.
    var isDeclared: Bool {
        if self is any CallersKey { return true }
        let mirror = Mirror(reflecting: self)
        return mirror.displayStyle == .enum && mirror.children.isEmpty
    }

    /// The position in an array; the integer keys of a dictionary are none.
    var elementIndex: Int? { intValue.flatMap { stringValue == "Index \($0)" ? $0 : nil } }

    /// Whether the body does not contain the name of a key that was looked for.
    fileprivate func isFree(of body: Data) -> Bool { body.range(of: Data(stringValue.utf8)) == nil }

    func isShown(_ body: Data) -> Bool { isDeclared || isFree(of: body) }
}

extension DecodingError {
    /// The same error without what the body has brought: keys of dictionaries, and values in its words.
    ///
    /// `String(describing:)` of an error prints all that it has, and the library's own words quote values: "Cannot
    /// initialize Status from invalid String value …".
    func withoutSecrets(of body: Data) -> DecodingError {
        switch self {
        case .keyNotFound(let key, let context):
            .keyNotFound(key.isShown(body) ? key : HiddenKey(), context.withoutSecrets(of: body))
        case .valueNotFound(let type, let context): .valueNotFound(type, context.withoutSecrets(of: body))
        case .typeMismatch(let type, let context): .typeMismatch(type, context.withoutSecrets(of: body))
        case .dataCorrupted(let context): .dataCorrupted(context.withoutSecrets(of: body))
        @unknown default: self
        }
    }
}

extension DecodingError.Context {
    fileprivate func withoutSecrets(of body: Data) -> Self {
        let path = codingPath.map { key -> any CodingKey in
            key.isDeclared || key.elementIndex != nil ? key : HiddenKey()
        }
        let words = debugDescription.hidingWords(of: body, allowing: path)
        return Self(codingPath: path, debugDescription: words, underlyingError: underlyingError?.withoutWords(of: body))
    }
}

extension String {
    /// The text without the words that the body has too; names of declared keys stay.
    fileprivate func hidingWords(of body: Data, allowing path: [any CodingKey] = []) -> String {
        var text = self
        if let mark = text.range(of: " from invalid "), let value = text[mark.upperBound...].range(of: " value ") {
            text = text[..<value.upperBound] + HiddenKey.text
        }
        // Searched for in the whole body, word by word.
        guard body.count <= 1 << 20 else { return "The words of the error are left out." }
        let names = Set(path.map(\.stringValue))
        let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "-" }
        for word in Set(words) where word.utf8.count >= 4 && !names.contains(String(word)) {
            guard body.range(of: Data(word.utf8)) != nil else { continue }
            text = text.replacing(word, with: HiddenKey.text)
        }
        return text
    }
}

extension Error {
    fileprivate func withoutWords(of body: Data) -> any Error {
        if let error = self as? DecodingError { return error.withoutSecrets(of: body) }
        guard type(of: self) == NSError.self else { return self }
        let error = self as NSError
        let info = error.userInfo.mapValues { value in (value as? String)?.hidingWords(of: body) ?? value }
        return NSError(domain: error.domain, code: error.code, userInfo: info)
    }
}
