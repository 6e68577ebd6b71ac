package import Foundation

/// The path to a value in a document, and the decoder's key strategy.
package struct DocumentKeyPath {
    /// The path for the type below. A shared decoder cannot pass it in `userInfo`.
    @TaskLocal package static var current: DocumentKeyPath?

    /// The names of members, and the indices of elements.
    let steps: [String]
    let strategy: JSONDecoder.KeyDecodingStrategy

    package init(_ keyPath: String, strategy: JSONDecoder.KeyDecodingStrategy) {
        steps = keyPath.split(separator: ".").map(String.init)
        self.strategy = strategy
    }

    /// The key for a name, spelled as in the document or as in the types.
    fileprivate func key(_ name: String, in object: KeyedDecodingContainer<KeyPathName>) throws -> KeyPathName {
        let key = KeyPathName(name)
        if object.contains(key) { return key }
        let converted = KeyPathName(strategy.name(for: object.codingPath + [key]))
        guard object.contains(converted) else { throw DecodingError.missing(key, at: object.codingPath) }
        return converted
    }
}

/// A value at the current path.
package struct AtKeyPath<Value: Decodable>: Decodable {
    package let value: Value

    package init(from decoder: any Decoder) throws {
        guard let path = DocumentKeyPath.current else {
            value = try decoder.singleValueContainer().decode(Value.self)
            return
        }
        var decoder = decoder
        for step in path.steps {
            // A number is an index only in an array, because object members can have numbers as names.
            if let index = Int(step), index >= 0, var array = try? decoder.unkeyedContainer() {
                decoder = try array.element(at: index)
            } else {
                let object = try decoder.container(keyedBy: KeyPathName.self)
                decoder = try object.superDecoder(forKey: path.key(step, in: object))
            }
        }
        value = try decoder.singleValueContainer().decode(Value.self)
    }
}

extension UnkeyedDecodingContainer {
    fileprivate mutating func element(at index: Int) throws -> any Decoder {
        while !isAtEnd {
            let isWanted = currentIndex == index
            let element = try superDecoder()
            if isWanted { return element }
        }
        throw DecodingError.missing(PathKey.element(index), at: codingPath)
    }
}

/// A name from the caller's key path.
struct KeyPathName: CallerKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}
