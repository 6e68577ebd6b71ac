/// The elements of an array, one after the other.
struct JSONArrayContainer: UnkeyedDecodingContainer {
    let array: JSONValue
    private var place: Int
    private(set) var currentIndex = 0

    private var document: JSONDocument { array.document }

    init(_ array: JSONValue) {
        self.array = array
        place = array.index + 1
    }

    var codingPath: [any CodingKey] { array.codingPath }
    var count: Int? { Int(document.tokens[array.index].count) }
    var isAtEnd: Bool { place >= Int(document.tokens[array.index].next) }

    private func path(_ index: Int) -> [any CodingKey] { codingPath + [JSONPlainKey.element(index)] }

    private var element: JSONValue { JSONValue(place, in: array, JSONPlainKey.element(currentIndex)) }

    /// Reads the value that is next, and goes on where that succeeds.
    private mutating func next<Value>(_ type: Any.Type, _ read: (Self) throws -> Value) throws -> Value {
        guard !isAtEnd else {
            throw JSONDocument.atEnd(type, path(currentIndex))
        }
        let value = try read(self)
        goOn()
        return value
    }

    /// The same, or nothing for null and at the end, where it goes on too, as the platform has it.
    private mutating func nextIfPresent<Value>(_ read: (Self) throws -> Value) throws -> Value? {
        let value = isAtEnd || document.kind(of: place) == .null ? nil : try read(self)
        goOn()
        return value
    }

    private mutating func goOn() {
        if !isAtEnd { place = Int(document.tokens[place].next) }
        currentIndex += 1
    }

    private func bool() throws -> Bool { try document.bool(at: place) { path(currentIndex) } }
    private func string() throws -> String { try document.string(at: place) { path(currentIndex) } }
    private func int() throws -> Int { try document.int(at: place) { path(currentIndex) } }
    private func double() throws -> Double { try document.double(at: place) { path(currentIndex) } }
    private func float() throws -> Float { try document.float(at: place) { path(currentIndex) } }

    private func integer<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type) throws -> Integer {
        try document.integer(type, at: place) { path(currentIndex) }
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, document.kind(of: place) != .null else { return try next(Never.self) { _ in true } }
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
