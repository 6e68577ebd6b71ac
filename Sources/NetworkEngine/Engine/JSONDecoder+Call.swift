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

    /// Decodes the value that is found by following names separated by dots.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data, at keyPath: String) throws -> Value {
        let decoder = copied()
        if let key = CodingUserInfoKey.keyPath {
            decoder.userInfo[key] = keyPath.split(separator: ".").map { name in
                [String(name), keyDecodingStrategy.propertyName(for: String(name))]
            }
        }
        return try decoder.guarded(AtKeyPath<Value>.self, from: data).value
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

extension JSONDecoder.KeyDecodingStrategy {
    /// What a decoder with this strategy calls a name of the document.
    fileprivate func propertyName(for name: String) -> String {
        switch self {
        case .convertFromSnakeCase:
            let words = name.split(separator: "_")
            guard let first = words.first else { return name }
            return first + words.dropFirst().map(\.capitalized).joined()
        case .custom(let convert): return convert([AnyKey(name)]).stringValue
        default: return name
        }
    }
}

/// A value wrapped in as many objects as the decoder's key path has names.
private struct AtKeyPath<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        let steps = CodingUserInfoKey.keyPath.flatMap { decoder.userInfo[$0] as? [[String]] } ?? []
        guard let last = steps.last else {
            value = try Value(from: decoder)
            return
        }
        var container = try decoder.container(keyedBy: AnyKey.self)
        for step in steps.dropLast() {
            container = try container.nestedContainer(keyedBy: AnyKey.self, forKey: container.key(spelled: step))
        }
        value = try container.decode(Value.self, forKey: container.key(spelled: last))
    }
}

extension KeyedDecodingContainer<AnyKey> {
    /// The first of some spellings that there is; without any, the first.
    fileprivate func key(spelled spellings: [String]) -> AnyKey {
        AnyKey(spellings.first { contains(AnyKey($0)) } ?? spellings.first ?? "")
    }
}

private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}
