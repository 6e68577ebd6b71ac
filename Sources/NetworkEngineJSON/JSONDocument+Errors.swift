import Foundation

// The error texts are Foundation's.
extension JSONDocument {
    typealias Path = () -> [any CodingKey]

    /// The error for a value of another type, or for null.
    func mismatch(_ type: Any.Type, at index: Int, _ path: Path) -> DecodingError {
        let kind = kind(of: index)
        let context = DecodingError.Context(codingPath: path(), debugDescription: errorText(for: type, kind))
        return kind == .null && type != Bool.self ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// The error for a value that is not an object.
    func notObject(at index: Int, _ path: Path) -> DecodingError {
        notContainer([String: Any].self, "keyed", at: index, path)
    }

    /// The error for a value that is not an array.
    func notArray(at index: Int, _ path: Path) -> DecodingError {
        notContainer([Any].self, "unkeyed", at: index, path)
    }

    private func notContainer(_ type: Any.Type, _ name: String, at index: Int, _ path: Path) -> DecodingError {
        guard kind(of: index) == .null else { return mismatch(type, at: index, path) }
        let text = "Cannot get \(name) decoding container -- found null value instead"
        return .valueNotFound(type, .init(codingPath: path(), debugDescription: text))
    }
}

extension DecodingError {
    /// The error for a member that does not exist.
    static func missing(_ key: some CodingKey, at path: [any CodingKey]) -> DecodingError {
        let text = "No value associated with key \(key) (\"\(key.stringValue)\")."
        return .keyNotFound(key, .init(codingPath: path, debugDescription: text))
    }

    /// The error for an element after the end of an array.
    static func endOfArray(_ type: Any.Type, at path: [any CodingKey]) -> DecodingError {
        let isDecoder = type == (any Decoder).self
        let text =
            isDecoder ? "Cannot get superDecoder() -- unkeyed container is at end." : "Unkeyed container is at end."
        return .valueNotFound(type, .init(codingPath: path, debugDescription: text))
    }

    /// The error for a string that its type rejects.
    static func corrupted(_ text: String, at path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(.init(codingPath: path, debugDescription: text))
    }

    /// The error for a text that is not JSON.
    static var notJSON: DecodingError { corrupted("The given data was not valid JSON.", at: []) }
}

extension JSONToken.Kind {
    /// The text of the error if a value of this kind is found instead of a type.
    func errorText(for type: Any.Type) -> String {
        if self == .null, type != Bool.self { return "Cannot get value of type \(type) -- found null value instead" }
        return type == Decimal.self ? "" : "Expected to decode \(type) but found \(name) instead."
    }

    private var name: String {
        switch self {
        case .null: "null"
        case .false, .true: "bool"
        case .number: "number"
        case .string: "a string"
        case .array: "an array"
        case .object: "a dictionary"
        }
    }
}

/// The error for a number that does not fit its type, with the name of Foundation's error.
///
/// Like Foundation's, it becomes a `DecodingError` only when the top-level call throws it, so a type that catches only
/// decoding errors does not catch it.
enum JSONError: Error {
    case numberIsNotRepresentableInSwift(parsed: String)

    /// The error that the top-level call throws.
    static func topLevel(_ error: any Error) -> any Error {
        error is JSONError ? DecodingError.notJSON : error
    }
}
