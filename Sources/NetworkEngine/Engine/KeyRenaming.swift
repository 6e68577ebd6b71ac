import FastJSON
import Foundation

/// A value whose members are found by another key strategy than its decoder has.
///
/// Only for subclasses of `JSONDecoder`: nobody but the caller can make another one of those, and the one there is may be
/// at work in other calls.
struct WithRenamedKeys<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        let renaming = KeyRenaming(decoder, by: KeyRenaming.current, at: decoder.codingPath)
        value = try renaming.decode(Value.self)
    }
}

/// A decoder that finds members by a strategy of its own, and leaves everything else to another decoder.
struct KeyRenaming: Decoder {
    /// Told to the type above in this way, since a decoder that is shared cannot be told anything.
    @TaskLocal static var current: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys

    let base: any Decoder
    let strategy: JSONDecoder.KeyDecodingStrategy
    /// As types name the members on the way; the other decoder's has them as they are written.
    let codingPath: [any CodingKey]

    init(_ base: any Decoder, by strategy: JSONDecoder.KeyDecodingStrategy, at codingPath: [any CodingKey]) {
        self.base = base
        self.strategy = strategy
        self.codingPath = codingPath
    }

    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let object = try located { try base.container(keyedBy: AnyCodingKey.self) }
        return KeyedDecodingContainer(RenamedObject(object, of: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        RenamedArray(try located { try base.unkeyedContainer() }, of: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// Does something with the other decoder; what that throws is at this one's path.
    private func located<Value>(_ read: () throws -> Value) throws -> Value {
        do {
            return try read()
        } catch let error as DecodingError {
            throw error.moved(to: codingPath)
        }
    }
}

extension KeyRenaming: SingleValueDecodingContainer {
    func decodeNil() -> Bool { (try? base.singleValueContainer().decodeNil()) == true }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type is any NamelessValue.Type { return try located { try base.singleValueContainer().decode(type) } }
        if let dictionary = type as? any VerbatimDictionary.Type, let value = try dictionary.init(self) as? Value {
            return value
        }
        return try Value(from: self)
    }
}

/// A type that decoders make themselves, or that has no members.
private protocol NamelessValue {}

extension Bool: NamelessValue {}
extension String: NamelessValue {}
extension Double: NamelessValue {}
extension Float: NamelessValue {}
extension Int: NamelessValue {}
extension Int8: NamelessValue {}
extension Int16: NamelessValue {}
extension Int32: NamelessValue {}
extension Int64: NamelessValue {}
extension UInt: NamelessValue {}
extension UInt8: NamelessValue {}
extension UInt16: NamelessValue {}
extension UInt32: NamelessValue {}
extension UInt64: NamelessValue {}
extension Date: NamelessValue {}
extension Data: NamelessValue {}
extension URL: NamelessValue {}
extension Decimal: NamelessValue {}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: NamelessValue {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: NamelessValue {}

/// A dictionary whose keys are the names of members as they are written, whatever the strategy.
private protocol VerbatimDictionary {
    init(_ decoder: KeyRenaming) throws
}

extension Dictionary: VerbatimDictionary where Key == String, Value: Decodable {
    fileprivate init(_ decoder: KeyRenaming) throws {
        let verbatim = KeyRenaming(decoder.base, by: .useDefaultKeys, at: decoder.codingPath)
        let object = try verbatim.container(keyedBy: AnyCodingKey.self)
        self = [:]
        for key in object.allKeys {
            guard let member = try object.superDecoder(forKey: key) as? KeyRenaming else { continue }
            let value = KeyRenaming(member.base, by: decoder.strategy, at: member.codingPath)
            self[key.stringValue] = try value.decode(Value.self)
        }
    }
}

extension DecodingError {
    /// The same error, with this path in place of as much of its own.
    fileprivate func moved(to path: [any CodingKey]) -> DecodingError {
        func moved(_ context: Context) -> Context {
            Context(
                codingPath: path + context.codingPath.dropFirst(path.count),
                debugDescription: context.debugDescription,
                underlyingError: context.underlyingError
            )
        }
        switch self {
        case .typeMismatch(let type, let context): return .typeMismatch(type, moved(context))
        case .valueNotFound(let type, let context): return .valueNotFound(type, moved(context))
        case .keyNotFound(let key, let context): return .keyNotFound(key, moved(context))
        case .dataCorrupted(let context): return .dataCorrupted(moved(context))
        @unknown default: return self
        }
    }
}

/// The members of an object, by the names that types ask for.
struct RenamedObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let base: KeyedDecodingContainer<AnyCodingKey>
    private let object: KeyRenaming
    private let written: [String: AnyCodingKey]

    init(_ base: KeyedDecodingContainer<AnyCodingKey>, of object: KeyRenaming) {
        self.base = base
        self.object = object
        let names = base.allKeys.map { (object.strategy.name(for: object.codingPath + [$0]), $0) }
        written = Dictionary(names) { first, _ in first }
    }

    var codingPath: [any CodingKey] { object.codingPath }
    var allKeys: [Key] { written.keys.compactMap { Key(stringValue: $0) } }

    private func written(_ key: Key) throws -> AnyCodingKey {
        guard let name = written[key.stringValue] else { throw DecodingError.missing(key, at: codingPath) }
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

    func superDecoder() throws -> any Decoder { try superDecoder(PathKey.parent) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder(key) }

    private func superDecoder(_ key: any CodingKey) throws -> any Decoder {
        let name = written[key.stringValue] ?? AnyCodingKey(key.stringValue)
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
        let path = codingPath + [PathKey.element(currentIndex)]
        guard !isAtEnd else { throw DecodingError.endOfArray(type, at: path) }
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
