/// The members of an object.
struct JSONObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let object: JSONValue

    private var document: JSONDocument { object.document }

    init(_ object: JSONValue) { self.object = object }

    var codingPath: [any CodingKey] { object.codingPath }

    var allKeys: [Key] {
        if let members = object.members { return members.keys.compactMap { Key(stringValue: $0) } }
        var seen: Set<String> = []
        var keys: [Key] = []
        document.forEachMember(of: object.index) { name, _ in
            let name = document.names.name(for: name)
            guard seen.insert(name).inserted else { return }
            if let key = Key(stringValue: name) { keys.append(key) }
        }
        return keys
    }

    private func place(of name: String) -> Int? {
        guard let members = object.members else { return document.value(named: name, in: object.index) }
        return members[name]
    }

    private func place(of key: Key) throws -> Int {
        if let place = place(of: key.stringValue) { return place }
        throw JSONDocument.missing(key, codingPath)
    }

    /// The place of a value that is there and not null.
    private func placeIfPresent(of key: Key) -> Int? {
        guard let place = place(of: key.stringValue), document.kind(of: place) != .null else { return nil }
        return place
    }

    private func path(_ key: any CodingKey) -> [any CodingKey] { codingPath + [key] }

    private func value(at place: Int, _ key: any CodingKey) -> JSONValue { JSONValue(place, in: object, key) }

    func contains(_ key: Key) -> Bool { place(of: key.stringValue) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { document.kind(of: try place(of: key)) == .null }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try document.bool(at: place(of: key)) { path(key) }
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try document.string(at: place(of: key)) { path(key) }
    }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        try document.int(at: place(of: key)) { path(key) }
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try document.double(at: place(of: key)) { path(key) }
    }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try document.float(at: place(of: key)) { path(key) }
    }

    func decode<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type, forKey key: Key) throws -> Integer {
        try integer(type, key)
    }

    func integer<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type, _ key: Key) throws -> Integer {
        try document.integer(type, at: place(of: key)) { path(key) }
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try document.value(type, value(at: place(of: key), key))
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        guard let place = placeIfPresent(of: key) else { return nil }
        return try document.bool(at: place) { path(key) }
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        guard let place = placeIfPresent(of: key) else { return nil }
        return try document.string(at: place) { path(key) }
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        guard let place = placeIfPresent(of: key) else { return nil }
        return try document.int(at: place) { path(key) }
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        guard let place = placeIfPresent(of: key) else { return nil }
        return try document.double(at: place) { path(key) }
    }

    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        guard let place = placeIfPresent(of: key) else { return nil }
        return try document.float(at: place) { path(key) }
    }

    func integerIfPresent<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type, _ key: Key) throws -> Integer? {
        guard let place = placeIfPresent(of: key) else { return nil }
        return try document.integer(type, at: place) { path(key) }
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let place = placeIfPresent(of: key) else { return nil }
        return try document.value(type, value(at: place, key))
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type, forKey key: Key) throws
        -> KeyedDecodingContainer<NestedKey>
    {
        try value(at: place(of: key), key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try value(at: place(of: key), key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { superDecoder(named: JSONPlainKey.parent) }
    func superDecoder(forKey key: Key) -> any Decoder { superDecoder(named: key) }

    /// A decoder of null where there is no such member, as the platform has it.
    private func superDecoder(named key: any CodingKey) -> any Decoder {
        value(at: place(of: key.stringValue) ?? document.null, key)
    }
}
