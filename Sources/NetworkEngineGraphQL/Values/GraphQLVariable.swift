public import Foundation
import NetworkEngine
import NetworkEngineJSON

/// A GraphQL value, for variables and extensions.
///
/// ```swift
/// let variables: [String: GraphQLVariable] = [
///     "id": 7, "name": "Ada", "score": 1.5, "tags": ["a", "b"], "filter": ["isNew": true, "before": nil],
///     "order": .enum("NEWEST"),
/// ]
/// ```
/// JSON represents enum cases as strings, so they are decoded as strings.
public enum GraphQLVariable: Hashable, Sendable {
    /// A string, an ID, or a custom scalar that JSON represents as a string.
    case string(String)
    /// An integer of up to 64 bits, which is sent unchanged.
    ///
    /// GraphQL's `Int` type has 32 bits. A server rejects a larger value for it with an error, but accepts it for an
    /// `ID`, a `Float` or a custom scalar. The server's schema defines the type of a variable.
    case int(Int)
    /// A floating-point number. Infinity and NaN fail to encode, unless the client's encoder converts them.
    case double(Double)
    /// A number that the other two cannot represent exactly, such as a price or an integer of more than 64 bits.
    case decimal(Decimal)
    /// A Boolean value.
    case bool(Bool)
    /// An explicit `null`. An omitted variable has its default value instead.
    case null
    /// A list.
    case list([GraphQLVariable])
    /// An input object, by field name.
    case object([String: GraphQLVariable])
    /// An enum case, by name.
    case `enum`(String)

    /// Creates the value that represents an encodable value's JSON. Rethrows the encoder's error.
    public init(encoding value: some Encodable, encoder: JSONEncoder = JSONEncoder()) throws {
        self = try JSONDecoder().decodeInternal(GraphQLVariable.self, from: encoder.encode(value))
    }
}

extension GraphQLVariable: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int) { self = .int(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(nilLiteral: ()) { self = .null }
    public init(arrayLiteral elements: GraphQLVariable...) { self = .list(elements) }

    /// Creates an object. If a name occurs more than once, its last value is used.
    public init(dictionaryLiteral elements: (String, GraphQLVariable)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}

extension GraphQLVariable: Codable {
    /// The maximum nesting depth of decoded arrays and objects.
    private static let depthLimit = 128
    /// The depth of the value being decoded, for decoders that do not report it.
    @TaskLocal private static var depth = 0

    public init(from decoder: any Decoder) throws {
        if let peek = JSONPeek(decoder) {
            guard peek.depth <= Self.depthLimit else { throw Self.tooDeep(decoder) }
            self = try Self(peek.kind, decoder)
        } else {
            guard Self.depth <= Self.depthLimit else { throw Self.tooDeep(decoder) }
            self = try Self.$depth.withValue(Self.depth + 1) { try Self(trying: decoder) }
        }
    }

    private init(_ kind: JSONPeek.Kind, _ decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        switch kind {
        case .null: self = .null
        case .bool: self = .bool(try container.decode(Bool.self))
        case .number: self = try Self(number: container)
        case .string: self = .string(try container.decode(String.self))
        case .array: self = .list(try container.decode([GraphQLVariable].self))
        case .object: self = .object(try container.decode([String: GraphQLVariable].self))
        }
    }

    /// Tries objects and arrays first, because failed attempts cost more the deeper a value is nested.
    private init(trying decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if (try? decoder.container(keyedBy: AnyCodingKey.self)) != nil {
            self = .object(try container.decode([String: GraphQLVariable].self))
        } else if (try? decoder.unkeyedContainer()) != nil {
            self = .list(try container.decode([GraphQLVariable].self))
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let number = try? Self(number: container) {
            self = number
        } else {
            self = .string(try container.decode(String.self))
        }
    }

    /// Compares the numbers as text, because a server reads digits and not the nearest binary fraction.
    private init(number container: any SingleValueDecodingContainer) throws {
        if let value = try? container.decode(Int.self) {
            self = .int(value)
            return
        }
        let value = try container.decode(Double.self)
        let decimal = try? container.decode(Decimal.self)
        // The texts of a binary fraction: the shortest one, and the one with 17 digits.
        let texts = ["\(value)", String(format: "%.17g", value)]
        // A decimal number has a smaller range, beyond which it is a different number.
        if let decimal, !texts.contains(where: { Decimal(string: $0) == decimal }), Double("\(decimal)") == value {
            self = .decimal(decimal)
        } else {
            self = .double(value)
        }
    }

    private static func tooDeep(_ decoder: any Decoder) -> DecodingError {
        let words = "Arrays and objects are nested more than \(depthLimit) levels deep."
        return .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: words))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let value), .enum(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .decimal(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .null: try container.encodeNil()
        case .list(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}
