import Foundation
import NetworkEngineJSON

/// The value of a parameter, as a tree from which queries, forms and JSON are written.
indirect enum ParameterValue {
    case null
    case bool(Bool)
    case string(String)
    case integer(Int64)
    case number(Double)
    case decimal(Decimal)
    case date(Date)
    case data(Data)
    case array([ParameterValue])
    case object([Member])
    /// A value that encodes itself.
    case encodable(any Encodable)

    struct Member {
        let name: String
        let value: ParameterValue
    }

    /// The maximum nesting depth.
    static let depthLimit = 64

    /// The value with sorted members or elements, for an order that is the same in every run.
    var sorted: ParameterValue {
        switch self {
        case .object(let members): .object(members.sorted { $0.name < $1.name })
        case .array(let elements): .array(elements.sorted { "\($0)" < "\($1)" })
        default: self
        }
    }
}

extension ParameterValue: Encodable {
    func encode(to encoder: any Encoder) throws {
        switch self {
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .object(let members):
            var container = encoder.container(keyedBy: AnyCodingKey.self)
            for member in members { try container.encode(member.value, forKey: AnyCodingKey(member.name)) }
        default:
            var container = encoder.singleValueContainer()
            try encodeScalar(into: &container)
        }
    }

    private func encodeScalar(into container: inout any SingleValueEncodingContainer) throws {
        switch self {
        case .null, .array, .object: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .decimal(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .data(let value): try container.encode(value)
        case .encodable(let value): try container.encode(value)
        }
    }
}
