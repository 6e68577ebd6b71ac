import Foundation

extension ParameterValue {
    /// The value of a type that stands for one thing; `nil` for any other type.
    ///
    /// - Parameter path: names the parameter in a reason.
    init?(scalar value: Any, at path: @autoclosure () -> String) throws(NetworkError) {
        switch value {
        case let value as String: self = .string(value)
        // Before the numbers: an `NSNumber` can be cast to any of them, and to `Bool`.
        case _ where type(of: value) is NSNumber.Type: try self.init(value as? NSNumber, at: path())
        case let value as Bool: self = .bool(value)
        case let value as any BinaryInteger: try self.init(integer: value, at: path())
        case let value as any BinaryFloatingPoint: try self.init(number: value, at: path())
        case let value as any StringProtocol: self = .string(String(value))
        case let value as Character: self = .string(String(value))
        case let value as Decimal: try self.init(decimal: value, at: path())
        case let value as Date: try self.init(date: value, at: path())
        case let value as Data: self = .data(value)
        case let value as URL: self = .string(value.absoluteString)
        case let value as UUID: self = .string(value.uuidString)
        case is NSNull: self = .null
        default: return nil
        }
    }

    private init(integer value: some BinaryInteger, at path: @autoclosure () -> String) throws(NetworkError) {
        if let small = Int64(exactly: value) {
            self = .integer(small)
        } else if let large = Decimal(string: "\(value)") {
            self = .decimal(large)
        } else {
            throw .unencodable("\(path()) is an integer too large to encode")
        }
    }

    private init(number value: some BinaryFloatingPoint, at path: @autoclosure () -> String) throws(NetworkError) {
        // By way of its description: a `Float` of 0.1 stays 0.1.
        guard value.isFinite, let number = (value as? Double) ?? Double("\(value)"), number.isFinite else {
            throw .unencodable("\(path()) is not a finite number")
        }
        self = .number(number)
    }

    private init(decimal value: Decimal, at path: @autoclosure () -> String) throws(NetworkError) {
        guard value.isFinite else { throw .unencodable("\(path()) is not a finite number") }
        self = .decimal(value)
    }

    private init(_ value: NSNumber?, at path: @autoclosure () -> String) throws(NetworkError) {
        guard let value else {
            self = .null
            return
        }
        if type(of: value) == type(of: NSNumber(value: true)) {
            self = .bool(value.boolValue)
        } else if let decimal = value as? NSDecimalNumber {
            try self.init(decimal: decimal.decimalValue, at: path())
        } else if ["d", "f"].contains(String(cString: value.objCType)) {
            try self.init(number: value.doubleValue, at: path())
        } else if String(cString: value.objCType) == "Q" {
            try self.init(integer: value.uint64Value, at: path())
        } else {
            self = .integer(value.int64Value)
        }
    }

    private init(date: Date, at path: @autoclosure () -> String) throws(NetworkError) {
        // Beyond four digits for the year ISO 8601 says something else, and what was meant is milliseconds, or nothing.
        guard (-62_135_769_600..<253_402_300_800).contains(date.timeIntervalSince1970) else {
            throw .unencodable("\(path()) is a date outside of the years 1 to 9999")
        }
        self = .date(date)
    }
}

extension NetworkError {
    static func unencodable(_ reason: String, underlying: (any Error)? = nil) -> NetworkError {
        NetworkError(kind: .encoding, reason: reason, underlying: underlying)
    }
}
