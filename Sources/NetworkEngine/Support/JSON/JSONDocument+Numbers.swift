import Foundation

// Numbers are read as the platform reads them, down to what it makes of a whole number with a fraction.
extension JSONDocument {
    /// The same as for every integer, without a detour by generics.
    func int(at index: Int, _ path: Path) throws -> Int {
        let token = tokens[index]
        if token.kind == .number, token.trait == .plain, let int = number(token)?.whole(Int.self) { return int }
        return try integer(Int.self, at: index, path)
    }

    func integer<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type, at index: Int, _ path: Path) throws
        -> Integer
    {
        let token = tokens[index]
        guard token.kind == .number else { throw mismatch(type, at: index, path) }
        guard token.trait == .plain else { return try fractional(type, at: index) }
        guard let value = number(token)?.whole(type) ?? long(type, token) else { throw misfit(at: index) }
        return value
    }

    /// A number of more digits than fit 64 bits, some at a time.
    private func long<Integer: FixedWidthInteger>(_ type: Integer.Type, _ token: JSONToken) -> Integer? {
        let isNegative = bytes[Int(token.start)] == UInt8(ascii: "-")
        guard Integer.bitWidth > 64, Integer.isSigned || !isNegative else { return nil }
        var value = Integer.zero
        var rest = bytes[token.content].dropFirst(isNegative ? 1 : 0)
        while !rest.isEmpty {
            let (part, power) = rest.prefix(18).reduce((Int64(0), Int64(1))) {
                ($0.0 * 10 + Int64($1 &- 0x30), $0.1 * 10)
            }
            rest = rest.dropFirst(18)
            let (shifted, isOver) = value.multipliedReportingOverflow(by: Integer(power))
            let (sum, isFull) =
                isNegative
                ? shifted.subtractingReportingOverflow(Integer(part)) : shifted.addingReportingOverflow(Integer(part))
            guard !isOver, !isFull else { return nil }
            value = sum
        }
        return value
    }

    /// A whole number that is written with a fraction or an exponent.
    ///
    /// The nearest floating-point number decides whether it is one, even where that is not what is written. Beyond the
    /// numbers that such a one is exact for, the digits decide.
    private func fractional<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type, at index: Int) throws
        -> Integer
    {
        let token = tokens[index]
        let number = number(token)
        guard let double = number?.double() ?? Double(text(of: token)), let nearest = Integer(exactly: double) else {
            throw misfit(at: index)
        }
        if double.magnitude < 0x1p53 { return nearest }
        guard isShort(token) else { return try asked(type, at: index, orThrow: misfit(at: index)) }
        // The least number of a type is not among those that the platform finds in this way.
        guard let number, let magnitude = number.scaled, let value = Integer(exactly: magnitude) else {
            throw misfit(at: index)
        }
        return number.isNegative ? 0 - value : value
    }

    func double(at index: Int, _ path: Path) throws -> Double {
        let token = tokens[index]
        guard token.kind == .number else { throw mismatch(Double.self, at: index, path) }
        return try finite(number(token)?.double() ?? Double(text(of: token)), at: index)
    }

    func float(at index: Int, _ path: Path) throws -> Float {
        let token = tokens[index]
        guard token.kind == .number else { throw mismatch(Float.self, at: index, path) }
        return try finite(Float(text(of: token)), at: index)
    }

    func decimal(at index: Int, _ path: Path) throws -> Decimal {
        let token = tokens[index]
        guard token.kind == .number else { throw mismatch(Decimal.self, at: index, path) }
        if let number = number(token), number.digits != 0, number.exponent.magnitude < 100, isShort(token) {
            let digits = Decimal(number.digits)
            return Decimal(sign: number.isNegative ? .minus : .plus, exponent: number.exponent, significand: digits)
        }
        if token.trait == .plain, isShort(token), let decimal = long(token) { return decimal }
        guard let decimal = Decimal(string: text(of: token)) else { throw misfit(at: index) }
        return decimal
    }

    /// The sum of the two halves of a whole number of 20 to 38 digits, which is exact.
    private func long(_ token: JSONToken) -> Decimal? {
        let isNegative = bytes[Int(token.start)] == UInt8(ascii: "-")
        let digits = bytes[token.content].dropFirst(isNegative ? 1 : 0)
        guard digits.count >= 20, digits.count <= 38 else { return nil }
        func number(_ digits: ArraySlice<UInt8>) -> Decimal {
            Decimal(digits.reduce(UInt64(0)) { $0 * 10 + UInt64($1 &- 0x30) })
        }
        let sign: FloatingPointSign = isNegative ? .minus : .plus
        let high = Decimal(sign: sign, exponent: 19, significand: number(digits.dropLast(19)))
        return high + Decimal(sign: sign, exponent: 0, significand: number(digits.suffix(19)))
    }

    /// Whether no decimal number loses digits of it.
    private func isShort(_ token: JSONToken) -> Bool { token.content.count <= 38 }

    /// Refuses what is too large or too small to be told from infinity or zero.
    private func finite<Number: BinaryFloatingPoint & Decodable>(_ value: Number?, at index: Int) throws -> Number {
        guard let value, value.isFinite else { throw misfit(at: index) }
        guard value == 0, !isZero(tokens[index]) else { return value }
        // The platform takes some zeros with an exponent for numbers that are too small, and others not.
        guard number(tokens[index])?.digits == 0 else { throw misfit(at: index) }
        return try asked(Number.self, at: index, orThrow: misfit(at: index))
    }

    /// Whether there is no other digit than 0, in the exponent too.
    private func isZero(_ token: JSONToken) -> Bool {
        !bytes[token.content].contains { $0 > 0x30 && $0 <= 0x39 }
    }

    private func number(_ token: JSONToken) -> JSONNumber? {
        bytes.withUnsafeBufferPointer { JSONNumber(JSONBytes($0), token.content) }
    }

    /// The error for a number that does not fit its type.
    private func misfit(at index: Int) -> JSONError {
        .numberIsNotRepresentableInSwift(parsed: text(of: tokens[index]))
    }
}
