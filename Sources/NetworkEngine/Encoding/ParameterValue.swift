import Foundation
import NetworkEngineJSON

/// A parameter's value, as a tree for writing queries, forms and JSON.
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

extension ParameterValue {
    /// Reads parameters in name order.
    static func members(of parameters: Parameters) throws(NetworkError) -> [Member] {
        do {
            return try members(of: parameters as [String: Any], depth: 0)
        } catch {
            throw .unfit(error)
        }
    }

    /// Reads one parameter.
    static func value(of parameter: Any, named name: String) throws(NetworkError) -> ParameterValue {
        do {
            return try ParameterValue(reading: parameter, depth: 1)
        } catch {
            throw .unfit(error.inside(name))
        }
    }

    private static func members(of dictionary: [String: Any], depth: Int) throws(Fault) -> [Member] {
        var members: [Member] = []
        members.reserveCapacity(dictionary.count)
        for (name, value) in dictionary.sorted(byText: { $0.key }) {
            do {
                members.append(Member(name: name, value: try ParameterValue(reading: value, depth: depth + 1)))
            } catch {
                throw error.inside(name)
            }
        }
        return members
    }

    private static func elements(of array: [Any], depth: Int) throws(Fault) -> [ParameterValue] {
        var elements: [ParameterValue] = []
        elements.reserveCapacity(array.count)
        for value in array {
            do {
                elements.append(try ParameterValue(reading: value, depth: depth + 1))
            } catch {
                throw error.inside(String(elements.count))
            }
        }
        return elements
    }

    private init(reading value: Any, depth: Int) throws(Fault) {
        guard depth <= Self.depthLimit else { throw Fault("is nested deeper than \(Self.depthLimit) levels") }
        if let scalar = try ParameterValue(scalar: value) {
            self = scalar
        } else if let optional = value as? any OptionalValue {
            self = .null
            guard let content = optional.content else { return }
            self = try ParameterValue(reading: content, depth: depth + 1)
        } else if let array = value as? [Any] {
            self = .array(try Self.elements(of: array, depth: depth))
        } else if let set = value as? Set<AnyHashable> {
            self = ParameterValue.array(try Self.elements(of: set.map(\.base), depth: depth)).sorted()
        } else if let dictionary = value as? [String: Any] {
            self = .object(try Self.members(of: dictionary, depth: depth))
        } else if let encodable = value as? any Encodable {
            self = .encodable(encodable)
        } else if let raw = value as? any RawRepresentable {
            self = try ParameterValue(reading: raw.rawValue, depth: depth + 1)
        } else if let text = value as? any LosslessStringConvertible {
            self = .string(text.description)
        } else {
            throw Fault("is a \(type(of: value)), which cannot be encoded")
        }
    }
}

extension NetworkError {
    fileprivate static func unfit(_ fault: ParameterValue.Fault) -> NetworkError {
        .unencodable("parameter \(fault.path.joined(separator: ".").debugDescription) \(fault.reason)")
    }
}

/// Provides access to the value of an optional in an `Any`.
private protocol OptionalValue {
    var content: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var content: Any? { self }
}

extension ParameterValue {
    /// The reason why a value cannot be a parameter. Callers add the path as the error propagates.
    struct Fault: Error {
        private(set) var path: [String] = []
        let reason: String

        init(_ reason: String) { self.reason = reason }

        func inside(_ name: String) -> Fault {
            var fault = self
            fault.path.insert(name, at: 0)
            return fault
        }
    }

    /// Reads a scalar; `nil` for any other type.
    init?(scalar value: Any) throws(Fault) {
        if let common = ParameterValue(common: value) {
            self = common
            return
        }
        switch value {
        // Compares types, because a cast to a class first converts any value, and every element of an array, to an
        // object.
        case _ where type(of: value) is NSNumber.Type: try self.init(value as? NSNumber)
        case _ where type(of: value) is NSNull.Type: self = .null
        case let value as Double: try self.init(number: value)
        case let value as any BinaryInteger: try self.init(integer: value)
        case let value as any BinaryFloatingPoint: try self.init(number: value)
        case let value as any StringProtocol: self = .string(String(value))
        case let value as Character: self = .string(String(value))
        case let value as Decimal: try self.init(decimal: value)
        case let value as Date: try self.init(date: value)
        case let value as Data: self = .data(value)
        case let value as URL: self = .string(value.absoluteString)
        case let value as UUID: self = .string(value.uuidString)
        default: return nil
        }
    }

    /// Reads the most common types by comparing types. A cast is slower and converts an `NSNumber` to any type.
    private init?(common value: Any) {
        let type = type(of: value)
        if type == String.self, let value = value as? String {
            self = .string(value)
        } else if type == Int.self, let value = value as? Int {
            self = .integer(Int64(value))
        } else if type == Bool.self, let value = value as? Bool {
            self = .bool(value)
        } else {
            return nil
        }
    }

    private init(integer value: some BinaryInteger) throws(Fault) {
        if let small = Int64(exactly: value) {
            self = .integer(small)
        } else if let large = Decimal(string: "\(value)") {
            self = .decimal(large)
        } else {
            throw Fault("is an integer too large to encode")
        }
    }

    private init(number value: some BinaryFloatingPoint) throws(Fault) {
        // The description of a `Float` of 0.1 is 0.1, but its value as a `Double` is not.
        guard value.isFinite, let number = (value as? Double) ?? Double("\(value)"), number.isFinite else {
            throw Fault("is not a finite number")
        }
        self = .number(number)
    }

    private init(decimal value: Decimal) throws(Fault) {
        guard value.isFinite else { throw Fault("is not a finite number") }
        self = .decimal(value)
    }

    private init(_ value: NSNumber?) throws(Fault) {
        guard let value else {
            self = .null
            return
        }
        if type(of: value) == type(of: NSNumber(value: true)) {
            self = .bool(value.boolValue)
        } else if let decimal = value as? NSDecimalNumber {
            try self.init(decimal: decimal.decimalValue)
        } else if ["d", "f"].contains(String(cString: value.objCType)) {
            try self.init(number: value.doubleValue)
        } else if String(cString: value.objCType) == "Q" {
            try self.init(integer: value.uint64Value)
        } else {
            self = .integer(value.int64Value)
        }
    }

    private init(date: Date) throws(Fault) {
        // ISO 8601 has a four-digit year. Other dates are usually milliseconds that were mistaken for seconds.
        guard (-62_135_769_600..<253_402_300_800).contains(date.timeIntervalSince1970) else {
            throw Fault("is a date outside of the years 1 to 9999")
        }
        self = .date(date)
    }
}
