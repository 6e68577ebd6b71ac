/// The members of an object.
struct JSONObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let object: JSONValue

    private var document: JSONDocument { object.document }
    private var text: JSONText { object.document.text }

    init(_ object: JSONValue) { self.object = object }

    var codingPath: [any CodingKey] { object.codingPath }

    var allKeys: [Key] {
        if let members = object.members { return members.keys.compactMap { Key(stringValue: $0) } }
        var seen: Set<String> = []
        var keys: [Key] = []
        text.forEachMember(of: object.index) { name, _ in
            let name = document.keyStyle.key(for: name)
            guard seen.insert(name).inserted else { return }
            if let key = Key(stringValue: name) { keys.append(key) }
        }
        return keys
    }

    private func index(of name: String) -> Int? {
        guard let members = object.members else { return text.value(named: name, in: object.index) }
        return members[name]
    }

    private func index(of key: Key) throws -> Int {
        if let index = index(of: key.stringValue) { return index }
        throw DecodingError.missing(key, at: codingPath)
    }

    /// The index of a value that exists and is not null.
    private func indexIfPresent(of key: Key) -> Int? {
        guard let index = index(of: key.stringValue), text.kind(of: index) != .null else { return nil }
        return index
    }

    private func path(_ key: any CodingKey) -> [any CodingKey] { codingPath + [key] }

    private func value(at index: Int, _ key: any CodingKey) -> JSONValue { JSONValue(index, in: object, key) }

    func contains(_ key: Key) -> Bool { index(of: key.stringValue) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { text.kind(of: try index(of: key)) == .null }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        let index = try index(of: key)
        return try document.bool(at: index) { path(key) }
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        let index = try index(of: key)
        return try document.string(at: index) { path(key) }
    }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        let index = try index(of: key)
        return try document.int(at: index) { path(key) }
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        let index = try index(of: key)
        return try document.double(at: index) { path(key) }
    }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try document.float(at: index(of: key)) { path(key) }
    }

    func decode<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type, forKey key: Key) throws -> Integer {
        try integer(type, key)
    }

    func integer<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type, _ key: Key) throws -> Integer {
        try document.integer(type, at: index(of: key)) { path(key) }
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try document.value(type, value(at: index(of: key), key))
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        guard let index = indexIfPresent(of: key) else { return nil }
        return try document.bool(at: index) { path(key) }
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        guard let index = indexIfPresent(of: key) else { return nil }
        return try document.string(at: index) { path(key) }
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        guard let index = indexIfPresent(of: key) else { return nil }
        return try document.int(at: index) { path(key) }
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        guard let index = indexIfPresent(of: key) else { return nil }
        return try document.double(at: index) { path(key) }
    }

    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        guard let index = indexIfPresent(of: key) else { return nil }
        return try document.float(at: index) { path(key) }
    }

    func integerIfPresent<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type, _ key: Key) throws -> Integer? {
        guard let index = indexIfPresent(of: key) else { return nil }
        return try document.integer(type, at: index) { path(key) }
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let index = indexIfPresent(of: key) else { return nil }
        return try document.value(type, value(at: index, key))
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type, forKey key: Key) throws
        -> KeyedDecodingContainer<NestedKey>
    {
        try value(at: index(of: key), key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try value(at: index(of: key), key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { superDecoder(named: PathKey.parent) }
    func superDecoder(forKey key: Key) -> any Decoder { superDecoder(named: key) }

    /// A decoder for the member, or for null if it does not exist, as in Foundation.
    private func superDecoder(named key: any CodingKey) -> any Decoder {
        value(at: index(of: key.stringValue) ?? document.null, key)
    }
}

// The protocol implements these, and prefers its implementations to a generic one. They look up a value three times.
extension JSONObjectContainer {
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try integerIfPresent(type, key) }
}

// The protocol's own implementations throw.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension JSONObjectContainer {
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try integer(type, key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(type, key) }
}
