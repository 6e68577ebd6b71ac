import Foundation

// Errors in the platform's words.
extension JSONDocument {
    typealias Path = () -> [any CodingKey]

    /// The error for a value of another type, or for none.
    func mismatch(_ type: Any.Type, at index: Int, _ path: Path) -> DecodingError {
        let kind = kind(of: index)
        let context = DecodingError.Context(codingPath: path(), debugDescription: words(of: type, kind))
        return kind == .null && type != Bool.self ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// The error for a value that is no object.
    func noObject(at index: Int, _ path: Path) -> DecodingError {
        noContainer([String: Any].self, "keyed", at: index, path)
    }

    /// The error for a value that is no array.
    func noArray(at index: Int, _ path: Path) -> DecodingError {
        noContainer([Any].self, "unkeyed", at: index, path)
    }

    private func noContainer(_ type: Any.Type, _ name: String, at index: Int, _ path: Path) -> DecodingError {
        guard kind(of: index) == .null else { return mismatch(type, at: index, path) }
        let words = "Cannot get \(name) decoding container -- found null value instead"
        return .valueNotFound(type, .init(codingPath: path(), debugDescription: words))
    }

    /// The error for a member that is not there.
    static func missing(_ key: some CodingKey, _ path: [any CodingKey]) -> DecodingError {
        let words = "No value associated with key \(key) (\"\(key.stringValue)\")."
        return .keyNotFound(key, .init(codingPath: path, debugDescription: words))
    }

    /// The error for an element that is not there.
    static func atEnd(_ type: Any.Type, _ path: [any CodingKey]) -> DecodingError {
        let isDecoder = type == (any Decoder).self
        let words =
            isDecoder ? "Cannot get superDecoder() -- unkeyed container is at end." : "Unkeyed container is at end."
        return .valueNotFound(type, .init(codingPath: path, debugDescription: words))
    }

    /// The error for a string that is not what its type takes.
    static func corrupted(_ words: String, _ path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(.init(codingPath: path, debugDescription: words))
    }

    /// What nobody caught, as the decoder throws it.
    static func final(_ error: any Error) -> any Error {
        error is JSONError ? notJSON : error
    }

    /// The error for a text that is no JSON.
    static var notJSON: DecodingError { corrupted("The given data was not valid JSON.", []) }
}

extension JSONToken.Kind {
    /// The words for a value of this kind where one of a type was expected.
    func words(for type: Any.Type) -> String {
        if self == .null, type != Bool.self { return "Cannot get value of type \(type) -- found null value instead" }
        return type == Decimal.self ? "" : "Expected to decode \(type) but found \(name) instead."
    }

    private var name: String {
        switch self {
        case .null: "null"
        case .no, .yes: "bool"
        case .number: "number"
        case .string: "a string"
        case .array: "an array"
        case .object: "a dictionary"
        }
    }
}

/// The error for a number that does not fit its type, named as the platform's is.
///
/// It is no `DecodingError` there either, unless nobody catches it: a type that catches only those must not catch it.
enum JSONError: Error {
    case numberIsNotRepresentableInSwift(parsed: String)
}
