package import Foundation

extension JSONValue: Decoder {
    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard document.text.kind(of: index) == .object else {
            throw document.notObject(at: index) { codingPath }
        }
        prepareMembers()
        return KeyedDecodingContainer(JSONObjectContainer<Key>(self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard document.text.kind(of: index) == .array else {
            throw document.notArray(at: index) { codingPath }
        }
        return JSONArrayContainer(self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension JSONValue: SingleValueDecodingContainer {
    func decodeNil() -> Bool { document.text.kind(of: index) == .null }
    func decode(_ type: Bool.Type) throws -> Bool { try document.bool(at: index) { codingPath } }
    func decode(_ type: String.Type) throws -> String { try document.string(at: index) { codingPath } }
    func decode(_ type: Int.Type) throws -> Int { try document.int(at: index) { codingPath } }
    func decode(_ type: Double.Type) throws -> Double { try document.double(at: index) { codingPath } }
    func decode(_ type: Float.Type) throws -> Float { try document.float(at: index) { codingPath } }

    func decode<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type) throws -> Integer {
        try document.integer(type, at: index) { codingPath }
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try document.value(type, self)
    }
}

// The protocol's own implementations throw.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension JSONValue {
    func decode(_ type: Int128.Type) throws -> Int128 { try document.integer(type, at: index) { codingPath } }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try document.integer(type, at: index) { codingPath } }
}

/// The kind and size of a JSON value before it is decoded.
package struct JSONPeek {
    package enum Kind {
        case null, bool, number, string, array, object
    }

    private let value: JSONValue

    /// Returns `nil` for any decoder other than this module's.
    package init?(_ decoder: any Decoder) {
        guard let value = decoder as? JSONValue else { return nil }
        self.value = value
    }

    private var token: JSONToken { value.document.text.tokens[value.index] }

    package var kind: Kind {
        switch token.kind {
        case .null: .null
        case .false, .true: .bool
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    /// The number of arrays and objects around the value.
    package var depth: Int { value.depth }

    /// Whether the value is an array or object without elements.
    package var isEmpty: Bool { token.count == 0 }

    /// The text of an array or object.
    package var text: Data { Data(value.document.text.bytes[token.content]) }
}
