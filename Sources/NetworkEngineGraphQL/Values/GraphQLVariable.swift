import FastJSON
public import Foundation
import NetworkEngine

/// A value of GraphQL: what variables and extensions are made of.
///
/// ```swift
/// let variables: [String: GraphQLVariable] = [
///     "id": 7, "name": "Ada", "score": 1.5, "tags": ["a", "b"], "filter": ["isNew": true, "before": nil],
///     "order": .enum("NEWEST"),
/// ]
/// ```
/// In JSON the names of enum cases are strings, and that is what they are decoded as.
public enum GraphQLVariable: Hashable, Sendable {
    case string(String)
    case int(Int)
    case double(Double)
    case bool(Bool)
    case null
    case list([GraphQLVariable])
    case object([String: GraphQLVariable])
    case `enum`(String)

    /// What a value is when it is written as JSON; throws what the encoder throws.
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

    /// The last of several values for one name counts.
    public init(dictionaryLiteral elements: (String, GraphQLVariable)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
