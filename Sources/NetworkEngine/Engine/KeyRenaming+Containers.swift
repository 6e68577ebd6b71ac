import Foundation

/// The members of an object, by the names that types ask for.
struct RenamedObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let base: KeyedDecodingContainer<NameKey>
    private let object: KeyRenaming
    private let written: [String: NameKey]

    init(_ base: KeyedDecodingContainer<NameKey>, of object: KeyRenaming) {
        self.base = base
        self.object = object
        let names = base.allKeys.map { (object.strategy.name(for: object.codingPath + [$0]), $0) }
        written = Dictionary(names) { first, _ in first }
    }

    var codingPath: [any CodingKey] { object.codingPath }
    var allKeys: [Key] { written.keys.compactMap { Key(stringValue: $0) } }

    private func written(_ key: Key) throws -> NameKey {
        guard let name = written[key.stringValue] else { throw JSONDocument.missing(key, codingPath) }
        return name
    }

    private func member(_ key: Key) throws -> KeyRenaming {
        KeyRenaming(try base.superDecoder(forKey: written(key)), by: object.strategy, at: codingPath + [key])
    }

    func contains(_ key: Key) -> Bool { written[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: written(key)) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try member(key).decode(type) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
        -> KeyedDecodingContainer<Nested>
    {
        try member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try member(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try superDecoder(JSONPlainKey.parent) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder(key) }

    private func superDecoder(_ key: any CodingKey) throws -> any Decoder {
        let name = written[key.stringValue] ?? NameKey(key.stringValue)
        return KeyRenaming(try base.superDecoder(forKey: name), by: object.strategy, at: codingPath + [key])
    }
}

/// The elements of an array, in which there may be objects.
struct RenamedArray: UnkeyedDecodingContainer {
    private var base: any UnkeyedDecodingContainer
    private let array: KeyRenaming

    init(_ base: any UnkeyedDecodingContainer, of array: KeyRenaming) {
        self.base = base
        self.array = array
    }

    var codingPath: [any CodingKey] { array.codingPath }
    var count: Int? { base.count }
    var isAtEnd: Bool { base.isAtEnd }
    var currentIndex: Int { base.currentIndex }

    /// Reads the value that is next, and goes on where that succeeds.
    private mutating func next<Value>(_ type: Any.Type, _ read: (KeyRenaming) throws -> Value) throws -> Value {
        let path = codingPath + [JSONPlainKey.element(currentIndex)]
        guard !isAtEnd else { throw JSONDocument.atEnd(type, path) }
        var rest = base
        let value = try read(KeyRenaming(try rest.superDecoder(), by: array.strategy, at: path))
        base = rest
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { return try next(Never.self) { _ in true } }
        return try base.decodeNil()
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next(type) { try $0.decode(type) }
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested>
    {
        try next(KeyedDecodingContainer<Nested>.self) { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next((any UnkeyedDecodingContainer).self) { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next((any Decoder).self) { $0 } }
}
