package import Foundation

extension JSONDecoder {
    /// What this decoder would decode, several times as fast; nothing where only the platform can say what that is.
    ///
    /// Never an error: whoever gets nothing asks the decoder itself, for the value or for the error. So a type whose
    /// document turns out to be wrong is asked twice. A subclass, JSON5 and strategies that are not known here are left to
    /// the decoder from the start.
    package func quick<Value: Decodable>(_ type: Value.Type, from data: Data) -> Value? {
        guard Self.isKnown, Swift.type(of: self) == JSONDecoder.self, !allowsJSON5, !assumesTopLevelDictionary,
            case .throw = nonConformingFloatDecodingStrategy, let names = JSONNameStyle(keyDecodingStrategy),
            let document = JSONDocument(data, platform: self, names: names)
        else { return nil }
        guard let value = try? document.value(type, JSONValue(document)), !document.isUnsure else { return nil }
        return value
    }

    #if canImport(Darwin)
    /// The systems' decoders differ from version to version, and none of them was compared with this one.
    private static let isKnown = false
    #else
    private static let isKnown = true
    #endif
}
