import FastJSON
package import Foundation

/// The decoder of a call: the configuration's, with the key strategy of a target.
package struct BodyDecoder: Sendable {
    private let decoder: JSONDecoder
    /// The strategy in place of the decoder's own, which only a subclass leaves to be applied from outside.
    private let keys: JSONDecoder.KeyDecodingStrategy

    package init(_ decoder: JSONDecoder, keys: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys) {
        guard keys.replaces(decoder.keyDecodingStrategy) else {
            self.init(unchanged: decoder, keys: .useDefaultKeys)
            return
        }
        // The configured decoder is shared by every call and never changed, and only a plain one can be copied.
        if type(of: decoder) == JSONDecoder.self {
            self.init(unchanged: decoder.copied(keys: keys), keys: .useDefaultKeys)
        } else {
            self.init(unchanged: decoder, keys: keys)
        }
    }

    /// The decoder of a call; a plain one where there was no call.
    package init(_ standard: StandardDecoding?) {
        self.init(standard?.decoder ?? JSONDecoder(), keys: standard?.keys ?? .useDefaultKeys)
    }

    private init(unchanged decoder: JSONDecoder, keys: JSONDecoder.KeyDecodingStrategy) {
        self.decoder = decoder
        self.keys = keys
    }

    /// Decodes a document, or the value that is found in it by following names separated by dots.
    package func decode<Value: Decodable>(_ type: Value.Type, from data: Data, at keyPath: String? = nil) throws
        -> Value
    {
        guard let keyPath else { return try decode(type, from: data) }
        var strategy = decoder.keyDecodingStrategy
        if keys.replaces(strategy) { strategy = keys }
        let path = KeyPathInDocument(keyPath, strategy: strategy)
        return try KeyPathInDocument.$current.withValue(path) {
            try decode(AtKeyPath<Value>.self, from: data).value
        }
    }

    private func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        if case .useDefaultKeys = keys { return try decoder.decodeSafely(type, from: data) }
        return try KeyRenaming.$current.withValue(keys) {
            try decoder.decodeSafely(WithRenamedKeys<Value>.self, from: data).value
        }
    }
}

extension JSONDecoder.KeyDecodingStrategy {
    /// Whether this strategy, of a target, changes anything for a decoder with another one.
    fileprivate func replaces(_ other: Self) -> Bool {
        switch (self, other) {
        case (.useDefaultKeys, _), (.convertFromSnakeCase, .convertFromSnakeCase): false
        default: true
        }
    }

    /// What a decoder with this strategy calls a member, by the names on the way to it and its own as it is written.
    func name(for path: [any CodingKey]) -> String {
        guard let written = path.last?.stringValue else { return "" }
        switch self {
        case .convertFromSnakeCase: return JSONKeyStyle.camelCase.key(for: written)
        case .custom(let convert): return convert(path).stringValue
        default: return written
        }
    }
}

extension JSONDecoder {
    fileprivate func copied(keys: KeyDecodingStrategy) -> JSONDecoder {
        let copy = JSONDecoder()
        copy.keyDecodingStrategy = keys
        copy.dateDecodingStrategy = dateDecodingStrategy
        copy.dataDecodingStrategy = dataDecodingStrategy
        copy.nonConformingFloatDecodingStrategy = nonConformingFloatDecodingStrategy
        copy.userInfo = userInfo
        copy.allowsJSON5 = allowsJSON5
        // Setting it leaves a mark in `userInfo`, even where it is false.
        if assumesTopLevelDictionary { copy.assumesTopLevelDictionary = true }
        return copy
    }
}
