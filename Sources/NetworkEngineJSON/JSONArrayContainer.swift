/// The elements of an array.
struct JSONArrayContainer: UnkeyedDecodingContainer {
    let array: JSONValue
    private var index: Int
    private(set) var currentIndex = 0

    private var document: JSONDocument { array.document }

    init(_ array: JSONValue) {
        self.array = array
        index = array.index + 1
    }

    var codingPath: [any CodingKey] { array.codingPath }
    var count: Int? { Int(document.text.tokens[array.index].count) }
    var isAtEnd: Bool { index >= Int(document.text.tokens[array.index].next) }

    private func path() -> [any CodingKey] { codingPath + [PathKey.element(currentIndex)] }

    private var element: JSONValue { JSONValue(index, in: array, PathKey.element(currentIndex)) }

    /// Reads the next value, and advances if this succeeds.
    private mutating func next<Value>(_ type: Any.Type, _ read: (Self) throws -> Value) throws -> Value {
        guard !isAtEnd else {
            throw DecodingError.endOfArray(type, at: path())
        }
        let value = try read(self)
        advance()
        return value
    }

    /// Reads the next value; `nil` for null and at the end. Advances there as well, like Foundation.
    private mutating func nextIfPresent<Value>(_ read: (Self) throws -> Value) throws -> Value? {
        let value = isAtEnd || document.text.kind(of: index) == .null ? nil : try read(self)
        advance()
        return value
    }

    private mutating func advance() {
        if !isAtEnd { index = Int(document.text.tokens[index].next) }
        currentIndex += 1
    }

    private func bool() throws -> Bool { try document.bool(at: index) { path() } }
    private func string() throws -> String { try document.string(at: index) { path() } }
    private func int() throws -> Int { try document.int(at: index) { path() } }
    private func double() throws -> Double { try document.double(at: index) { path() } }
    private func float() throws -> Float { try document.float(at: index) { path() } }

    private func integer<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type) throws -> Integer {
        try document.integer(type, at: index) { path() }
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, document.text.kind(of: index) != .null else { return try next(Never.self) { _ in true } }
        return false
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try next(type) { try $0.bool() } }
    mutating func decode(_ type: String.Type) throws -> String { try next(type) { try $0.string() } }
    mutating func decode(_ type: Int.Type) throws -> Int { try next(type) { try $0.int() } }
    mutating func decode(_ type: Double.Type) throws -> Double { try next(type) { try $0.double() } }
    mutating func decode(_ type: Float.Type) throws -> Float { try next(type) { try $0.float() } }

    mutating func decode<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type) throws -> Integer {
        try nextInteger(type)
    }

    mutating func nextInteger<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type) throws -> Integer {
        try next(type) { try $0.integer(type) }
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next(type) { try $0.document.value(type, $0.element) }
    }

    mutating func decodeIfPresent(_ type: Bool.Type) throws -> Bool? { try nextIfPresent { try $0.bool() } }
    mutating func decodeIfPresent(_ type: String.Type) throws -> String? { try nextIfPresent { try $0.string() } }
    mutating func decodeIfPresent(_ type: Int.Type) throws -> Int? { try nextIfPresent { try $0.int() } }
    mutating func decodeIfPresent(_ type: Double.Type) throws -> Double? { try nextIfPresent { try $0.double() } }
    mutating func decodeIfPresent(_ type: Float.Type) throws -> Float? { try nextIfPresent { try $0.float() } }

    mutating func integerIfPresent<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type) throws -> Integer? {
        try nextIfPresent { try $0.integer(type) }
    }

    mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        try nextIfPresent { try $0.document.value(type, $0.element) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) throws
        -> KeyedDecodingContainer<NestedKey>
    {
        try next(KeyedDecodingContainer<NestedKey>.self) { try $0.element.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next((any UnkeyedDecodingContainer).self) { try $0.element.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder {
        try next((any Decoder).self) { $0.element }
    }
}

// The protocol implements these, and prefers its implementations to a generic one. They look up a value three times,
// and do not advance at the end.
extension JSONArrayContainer {
    mutating func decodeIfPresent(_ type: Int8.Type) throws -> Int8? { try integerIfPresent(type) }
    mutating func decodeIfPresent(_ type: Int16.Type) throws -> Int16? { try integerIfPresent(type) }
    mutating func decodeIfPresent(_ type: Int32.Type) throws -> Int32? { try integerIfPresent(type) }
    mutating func decodeIfPresent(_ type: Int64.Type) throws -> Int64? { try integerIfPresent(type) }
    mutating func decodeIfPresent(_ type: UInt.Type) throws -> UInt? { try integerIfPresent(type) }
    mutating func decodeIfPresent(_ type: UInt8.Type) throws -> UInt8? { try integerIfPresent(type) }
    mutating func decodeIfPresent(_ type: UInt16.Type) throws -> UInt16? { try integerIfPresent(type) }
    mutating func decodeIfPresent(_ type: UInt32.Type) throws -> UInt32? { try integerIfPresent(type) }
    mutating func decodeIfPresent(_ type: UInt64.Type) throws -> UInt64? { try integerIfPresent(type) }
}

// The protocol's own implementations throw.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension JSONArrayContainer {
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try nextInteger(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try nextInteger(type) }
}
