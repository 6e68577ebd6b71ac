package import Foundation

extension JSONDecoder {
    /// What this decoder would decode, several times as fast; nothing where only the platform can say what that is.
    ///
    /// Throws what this decoder would throw. Left to the decoder from the start are a subclass, JSON5, strategies that are
    /// not known here, and what types are told by `userInfo`: they may leave marks there. And in the end a value that keeps
    /// its decoder: that is the platform's own.
    package func quick<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value? {
        Self.isKnown ? try fast(type, from: data) : nil
    }

    /// Decodes a type of this framework's own, for which it does not matter how the systems' decoders differ.
    package func own<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try fast(type, from: data) ?? guarded(type, from: data)
    }

    private func fast<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value? {
        guard Swift.type(of: self) == JSONDecoder.self, !allowsJSON5,
            userInfo.isEmpty, case .throw = nonConformingFloatDecodingStrategy,
            let names = JSONNameStyle(keyDecodingStrategy)
        else { return nil }
        switch JSONScanner.scan(data) {
        case .unsure: return nil
        case .broken:
            guard JSONWords.areThePlatforms else { return nil }
            throw JSONDocument.notJSON
        case .tokens(let tokens):
            var document = JSONDocument(data, tokens, platform: self, names: names)
            let result = Result { try document.value(type, JSONValue(document)) }
            guard !document.isUnsure, isKnownUniquelyReferenced(&document) else { return nil }
            if case .failure(let error) = result {
                guard !document.failsInItsOwnWay, JSONWords.areThePlatforms else { return nil }
                throw JSONDocument.final(error)
            }
            return try result.get()
        }
    }

    #if canImport(Darwin)
    /// The systems' decoders differ from version to version, and none of them was compared with this one.
    private static let isKnown = false
    #else
    private static let isKnown = true
    #endif
}
