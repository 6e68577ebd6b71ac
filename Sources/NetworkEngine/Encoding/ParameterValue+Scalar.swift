import Foundation

extension ParameterValue {
    /// Why a value cannot be a parameter, and where in it; the place is put together on the way up, where it is needed.
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

    /// The value of a type that stands for one thing; `nil` for any other type.
    init?(scalar value: Any) throws(Fault) {
        if let common = ParameterValue(common: value) {
            self = common
            return
        }
        switch value {
        // By type: a cast to a class makes an object of whatever it is given first, of an array one of every element.
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

    /// What most parameters are, by type and not by cast, which takes longer and gives an `NSNumber` as whatever is asked for.
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
        // By way of its description: a `Float` of 0.1 stays 0.1.
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
        // Beyond four digits for the year ISO 8601 says something else, and what was meant is milliseconds, or nothing.
        guard (-62_135_769_600..<253_402_300_800).contains(date.timeIntervalSince1970) else {
            throw Fault("is a date outside of the years 1 to 9999")
        }
        self = .date(date)
    }
}
