package import Foundation
package import NetworkEngineJSON

/// A call's decoder: the configuration's decoder with the target's key strategy.
package struct BodyDecoder: Sendable {
    private let decoder: JSONDecoder
    /// The strategy that replaces the decoder's. Only for a subclass it differs from the default.
    private let keys: JSONDecoder.KeyDecodingStrategy

    package init(_ decoder: JSONDecoder, keys: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys) {
        guard keys.replaces(decoder.keyDecodingStrategy) else {
            self.init(unchanged: decoder, keys: .useDefaultKeys)
            return
        }
        // All calls share the configured decoder, so it must not change. A subclass cannot be copied.
        if type(of: decoder) == JSONDecoder.self {
            self.init(unchanged: decoder.copied(keys: keys), keys: .useDefaultKeys)
        } else {
            self.init(unchanged: decoder, keys: keys)
        }
    }

    /// A call's decoder; a default one without a call.
    init(_ standard: StandardDecoding?) {
        self.init(standard?.decoder ?? JSONDecoder(), keys: standard?.keys ?? .useDefaultKeys)
    }

    /// How the call decodes with this decoder, for its errors.
    package var standard: StandardDecoding { StandardDecoding(decoder: decoder, keys: keys) }

    private init(unchanged decoder: JSONDecoder, keys: JSONDecoder.KeyDecodingStrategy) {
        self.decoder = decoder
        self.keys = keys
    }

    /// Decodes a document, or the value at a path of names and indices separated by dots.
    package func decode<Value: Decodable>(_ type: Value.Type, from data: Data, at keyPath: String? = nil) throws
        -> Value
    {
        guard let keyPath else { return try decode(type, from: data) }
        var strategy = decoder.keyDecodingStrategy
        if keys.replaces(strategy) { strategy = keys }
        let path = DocumentKeyPath(keyPath, strategy: strategy)
        return try DocumentKeyPath.$current.withValue(path) {
            try decode(AtKeyPath<Value>.self, from: data).value
        }
    }

    /// Decodes documents one after the other, faster than individually.
    package var series: JSONSeries {
        if case .useDefaultKeys = keys { JSONSeries(decoder) } else { JSONSeries(nil) }
    }

    private func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        if case .useDefaultKeys = keys { return try decoder.decodeSafely(type, from: data) }
        return try KeyRenaming.$current.withValue(keys) {
            try decoder.decodeSafely(WithRenamedKeys<Value>.self, from: data).value
        }
    }
}

extension JSONDecoder.KeyDecodingStrategy {
    /// Whether a target's strategy differs from the decoder's.
    fileprivate func replaces(_ other: Self) -> Bool {
        switch (self, other) {
        case (.useDefaultKeys, _), (.convertFromSnakeCase, .convertFromSnakeCase): false
        default: true
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
        // Setting the property changes `userInfo`, even to `false`.
        if assumesTopLevelDictionary { copy.assumesTopLevelDictionary = true }
        return copy
    }
}
