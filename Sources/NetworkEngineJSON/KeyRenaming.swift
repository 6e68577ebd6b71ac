package import Foundation

/// A value that is decoded with a different key strategy than its decoder's.
///
/// Only for subclasses of `JSONDecoder`, which cannot be copied and may be used by other calls simultaneously.
package struct WithRenamedKeys<Value: Decodable>: Decodable {
    package let value: Value

    package init(from decoder: any Decoder) throws {
        let renaming = KeyRenaming(decoder, by: KeyRenaming.current, at: decoder.codingPath)
        value = try renaming.decode(Value.self)
    }
}

/// A decoder that applies a key strategy, and delegates everything else to another decoder.
package struct KeyRenaming: Decoder {
    /// The strategy for the type above. A shared decoder cannot pass it in `userInfo`.
    @TaskLocal package static var current: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys

    let base: any Decoder
    let strategy: JSONDecoder.KeyDecodingStrategy
    /// The path with the types' keys. The other decoder's path has the document's names.
    package let codingPath: [any CodingKey]

    init(_ base: any Decoder, by strategy: JSONDecoder.KeyDecodingStrategy, at codingPath: [any CodingKey]) {
        self.base = base
        self.strategy = strategy
        self.codingPath = codingPath
    }

    package var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let object = try located { try base.container(keyedBy: AnyCodingKey.self) }
        return KeyedDecodingContainer(RenamedObject(object, of: self))
    }

    package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        RenamedArray(try located { try base.unkeyedContainer() }, of: self)
    }

    package func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// Uses the other decoder, and replaces the path in its errors with this decoder's.
    private func located<Value>(_ read: () throws -> Value) throws -> Value {
        do {
            return try read()
        } catch let error as DecodingError {
            throw error.moved(to: codingPath)
        }
    }
}

extension KeyRenaming: SingleValueDecodingContainer {
    package func decodeNil() -> Bool { (try? base.singleValueContainer().decodeNil()) == true }

    package func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try read(type) }

    func read<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type is any SelfContainedValue.Type { return try located { try base.singleValueContainer().decode(type) } }
        if let dictionary = type as? any VerbatimDictionary.Type, let value = try dictionary.init(self) as? Value {
            return value
        }
        return try Value(from: self)
    }
}

// The protocol's own implementations throw.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension KeyRenaming {
    package func decode(_ type: Int128.Type) throws -> Int128 { try read(type) }
    package func decode(_ type: UInt128.Type) throws -> UInt128 { try read(type) }
}

/// A type that the decoder decodes itself, or that has no members.
private protocol SelfContainedValue {}

extension Bool: SelfContainedValue {}
extension String: SelfContainedValue {}
extension Double: SelfContainedValue {}
extension Float: SelfContainedValue {}
extension Int: SelfContainedValue {}
extension Int8: SelfContainedValue {}
extension Int16: SelfContainedValue {}
extension Int32: SelfContainedValue {}
extension Int64: SelfContainedValue {}
extension UInt: SelfContainedValue {}
extension UInt8: SelfContainedValue {}
extension UInt16: SelfContainedValue {}
extension UInt32: SelfContainedValue {}
extension UInt64: SelfContainedValue {}
extension Date: SelfContainedValue {}
extension Data: SelfContainedValue {}
extension URL: SelfContainedValue {}
extension Decimal: SelfContainedValue {}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: SelfContainedValue {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: SelfContainedValue {}

/// A dictionary with member names as keys, unchanged by the key strategy.
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
    /// The error with this path replacing the start of its path.
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

/// The members of an object, by the keys of types.
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

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try member(key).read(type) }

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

// The protocol's own implementations throw.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension RenamedObject {
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try member(key).read(type) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try member(key).read(type) }
}

/// The elements of an array.
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

    /// Reads the next value, and advances if this succeeds.
    @_semantics("optimize.sil.specialize.generic.never")
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
        try next(type) { try $0.read(type) }
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

// The protocol's own implementations throw.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension RenamedArray {
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try next(type) { try $0.read(type) } }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next(type) { try $0.read(type) } }
}

extension JSONDecoder.KeyDecodingStrategy {
    /// A member's key for its path, which ends in the name as written.
    func name(for path: [any CodingKey]) -> String {
        guard let written = path.last?.stringValue else { return "" }
        switch self {
        case .convertFromSnakeCase: return JSONKeyStyle.camelCase.key(for: written)
        case .custom(let convert): return convert(path).stringValue
        default: return written
        }
    }
}
