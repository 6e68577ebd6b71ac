import Foundation

/// The names of the members on the way to a value, and how the decoder reads names.
struct KeyPathInDocument {
    /// Told to the type below in this way, since a decoder that is shared cannot be told anything.
    @TaskLocal static var current: KeyPathInDocument?

    let names: [String]
    let strategy: JSONDecoder.KeyDecodingStrategy

    init(_ keyPath: String, strategy: JSONDecoder.KeyDecodingStrategy) {
        names = keyPath.split(separator: ".").map(String.init)
        self.strategy = strategy
    }

    /// The key of a name, which may be spelled as in the document or as in the types.
    fileprivate func key(_ name: String, in object: KeyedDecodingContainer<CallersName>) -> CallersName {
        let key = CallersName(name)
        if object.contains(key) { return key }
        let converted = CallersName(strategy.name(for: object.codingPath + [key]))
        return object.contains(converted) ? converted : key
    }
}

/// A value wrapped in as many objects as the current key path has names.
struct AtKeyPath<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        guard let path = KeyPathInDocument.current, let last = path.names.last else {
            value = try Value(from: decoder)
            return
        }
        var object = try decoder.container(keyedBy: CallersName.self)
        for name in path.names.dropLast() {
            object = try object.nestedContainer(keyedBy: CallersName.self, forKey: path.key(name, in: object))
        }
        value = try object.decode(Value.self, forKey: path.key(last, in: object))
    }
}

/// A name that the caller looks for.
struct CallersName: CallersKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}
