package import Foundation

extension DecodingError {
    /// The problem and its path, without values and keys from the body.
    ///
    /// - Parameters:
    ///   - body: the body, if known; otherwise all keys that types do not declare are hidden.
    ///   - isJSON: whether the body is a JSON document; otherwise it is a property list.
    ///   - hint: advice if the body is not JSON.
    ///   - count: the number of keys to omit at the start of the path.
    package func explanation(
        of body: Data?, isJSON: Bool = true, hint: @autoclosure () -> String = "", skipping count: Int = 0
    ) -> String {
        switch self {
        case .keyNotFound(let key, let context) where key.elementIndex != nil:
            "no element \(key.elementIndex ?? 0)" + Self.place(context, skipping: count)
        case .keyNotFound(let key, let context):
            (key.isShown(body) ? "no value for key \(key.stringValue.debugDescription)" : "no value for a key")
                + Self.place(context, skipping: count)
        case .valueNotFound(let type, let context):
            "null where \(type) was expected" + Self.place(context, skipping: count)
        case .typeMismatch(let type, let context): "not a \(type)" + Self.place(context, skipping: count)
        case .dataCorrupted(let context) where context.codingPath.isEmpty && !isJSON:
            "the body is not a valid property list"
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            // Foundation reports a number that does not fit its type as invalid JSON, without a path.
            body?.isJSON ?? true
                ? "a value or number that does not fit its type" : "the body is not valid JSON" + hint()
        case .dataCorrupted(let context): "an invalid value" + Self.place(context, skipping: count)
        @unknown default: "the body could not be decoded"
        }
    }

    private static func place(_ context: Context, skipping count: Int) -> String {
        let path = context.codingPath.dropFirst(count).reduce(into: "") { path, key in
            if let index = key.elementIndex {
                path += "[\(index)]"
            } else if key.isDeclared {
                path += path.isEmpty ? key.stringValue : "." + key.stringValue
            } else {
                path += "[\(HiddenKey.text)]"
            }
        }
        if path.isEmpty, count > 0 { return "" }
        return path.isEmpty ? " at the top level" : " at \(path)"
    }
}

/// A key with a name from the caller, although its type accepts any name.
protocol CallerKey: CodingKey {}

/// The placeholder for a key from the body.
struct HiddenKey: CodingKey {
    static let text = "…"

    var stringValue: String { Self.text }
    var intValue: Int? { nil }

    init() {}
    init?(stringValue: String) { return nil }
    init?(intValue: Int) { return nil }
}

extension CodingKey {
    /// Whether the name is declared in code, as an enum case.
    ///
    /// Keys of dictionaries, and of types that accept any name, come from the body and may be secret.
    var isDeclared: Bool {
        if self is any CallerKey { return true }
        let mirror = Mirror(reflecting: self)
        return mirror.displayStyle == .enum && mirror.children.isEmpty
    }

    /// The index in an array; `nil` for the integer keys of a dictionary.
    var elementIndex: Int? { intValue.flatMap { stringValue == "Index \($0)" ? $0 : nil } }

    /// Whether the body does not contain the name.
    fileprivate func isFree(of body: Data) -> Bool { body.range(of: Data(stringValue.utf8)) == nil }

    func isShown(_ body: Data?) -> Bool {
        isDeclared || elementIndex != nil || body.map { isFree(of: $0) } ?? false
    }
}

extension DecodingError {
    /// The error without data from the body: keys of dictionaries, and values in its texts.
    ///
    /// `String(describing:)` prints all properties of an error, and the standard library's texts quote values: "Cannot
    /// initialize Status from invalid String value …".
    package func withoutSecrets(of body: Data) -> DecodingError {
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
    /// The text without words that also occur in the body. Names of declared keys are kept.
    fileprivate func hidingWords(of body: Data, allowing path: [any CodingKey] = []) -> String {
        var text = self
        if let mark = text.range(of: " from invalid "), let value = text[mark.upperBound...].range(of: " value ") {
            text = text[..<value.upperBound] + HiddenKey.text
        }
        // The text can quote a long value from the body, and the body is searched for each word.
        let omission = "The words of the error are left out."
        guard body.count <= 1 << 20, text.utf8.count <= 4 << 10 else { return omission }
        let names = Set(path.map(\.stringValue))
        let words = Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "-" })
            .filter { $0.utf8.count >= 4 && !names.contains(String($0)) }
        guard words.count <= (1 << 25) / max(1, body.count) else { return omission }
        for word in words {
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
