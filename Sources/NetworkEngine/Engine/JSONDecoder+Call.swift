import Foundation

extension JSONDecoder {
    /// A decoder like this one with a target's key strategy; this one itself when the target has none.
    ///
    /// The configured decoder is shared by every call and never changed.
    func applying(_ strategy: KeyDecodingStrategy) -> JSONDecoder {
        if case .useDefaultKeys = strategy { return self }
        let copy = copied()
        copy.keyDecodingStrategy = strategy
        return copy
    }

    /// Decodes the value that is found by following names separated by dots, as the types' keys spell them.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data, at keyPath: String) throws -> Value {
        let decoder = copied()
        if let key = CodingUserInfoKey.keyPath {
            decoder.userInfo[key] = keyPath.split(separator: ".").map(String.init)
        }
        return try decoder.decode(AtKeyPath<Value>.self, from: data).value
    }

    private func copied() -> JSONDecoder {
        let copy = JSONDecoder()
        copy.keyDecodingStrategy = keyDecodingStrategy
        copy.dateDecodingStrategy = dateDecodingStrategy
        copy.dataDecodingStrategy = dataDecodingStrategy
        copy.nonConformingFloatDecodingStrategy = nonConformingFloatDecodingStrategy
        copy.userInfo = userInfo
        copy.allowsJSON5 = allowsJSON5
        copy.assumesTopLevelDictionary = assumesTopLevelDictionary
        return copy
    }
}

extension CodingUserInfoKey {
    fileprivate static let keyPath = CodingUserInfoKey(rawValue: "NetworkEngine.keyPath")
}

/// A value wrapped in as many objects as the decoder's key path has names.
private struct AtKeyPath<Value: Decodable>: Decodable {
    let value: Value

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let names = CodingUserInfoKey.keyPath.flatMap { decoder.userInfo[$0] as? [String] } ?? []
        guard let last = names.last else {
            value = try Value(from: decoder)
            return
        }
        var container = try decoder.container(keyedBy: Key.self)
        for name in names.dropLast() {
            container = try container.nestedContainer(keyedBy: Key.self, forKey: Key(stringValue: name))
        }
        value = try container.decode(Value.self, forKey: Key(stringValue: last))
    }
}
