// The protocol has a way of its own for each of these, which is taken before a generic one: it looks three times for one
// value, and does not go on at the end.

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

// Its way with these is to have none.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension JSONArrayContainer {
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try nextInteger(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try nextInteger(type) }
}
