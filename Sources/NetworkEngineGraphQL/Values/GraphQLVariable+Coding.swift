import FastJSON
import NetworkEngine

extension GraphQLVariable: Codable {
    /// How deep arrays and objects may be nested in what is decoded.
    private static let depthLimit = 128
    /// The depth of the value that is being decoded, for decoders that do not tell.
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
        case .number:
            let int = try? container.decode(Int.self)
            self = try int.map { .int($0) } ?? .double(container.decode(Double.self))
        case .string: self = .string(try container.decode(String.self))
        case .array: self = .list(try container.decode([GraphQLVariable].self))
        case .object: self = .object(try container.decode([String: GraphQLVariable].self))
        }
    }

    /// Objects and arrays come first: the deeper a value is nested, the more an attempt that fails costs.
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
        } else if let value = try? container.decode(Int.self) {
            self = .int(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else {
            self = .string(try container.decode(String.self))
        }
    }

    private static func tooDeep(_ decoder: any Decoder) -> DecodingError {
        let words = "Arrays and objects are nested more than \(depthLimit) deep."
        return .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: words))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let value), .enum(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .null: try container.encodeNil()
        case .list(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}
