import Foundation

// Numbers have the same values as in Foundation, including integers written with a fraction.
extension JSONDocument {
    /// Reads the most frequent integer type without generic code.
    func int(at index: Int, _ path: Path) throws -> Int {
        if let value = text.int(at: index) { return value }
        return try integer(Int.self, at: index, path)
    }

    func integer<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type, at index: Int, _ path: Path) throws
        -> Integer
    {
        let token = text.tokens[index]
        guard token.kind == .number else { throw mismatch(type, at: index, path) }
        guard token.trait == .plain else { return try fractional(type, at: index) }
        guard let value = number(token)?.integer(type) ?? bigInteger(type, token) else {
            throw notRepresentable(at: index)
        }
        return value
    }

    /// An integer with more digits than fit into 64 bits, read 18 digits at a time.
    private func bigInteger<Integer: FixedWidthInteger>(_ type: Integer.Type, _ token: JSONToken) -> Integer? {
        let isNegative = text.bytes[Int(token.start)] == UInt8(ascii: "-")
        guard Integer.bitWidth > 64, Integer.isSigned || !isNegative else { return nil }
        var value = Integer.zero
        var rest = text.bytes[token.content].dropFirst(isNegative ? 1 : 0)
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

    /// An integer written with a fraction or an exponent.
    ///
    /// The nearest floating-point number decides whether the number is an integer, even if it differs from the text.
    /// Beyond 2^53, where floating-point numbers are not exact, the digits decide.
    private func fractional<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type, at index: Int) throws
        -> Integer
    {
        let token = text.tokens[index]
        let number = number(token)
        guard let double = nearest(to: token), let nearest = Integer(exactly: double)
        else {
            throw notRepresentable(at: index)
        }
        if double.magnitude < 0x1p53 { return nearest }
        guard fitsDecimal(token) else {
            return try decodeWithFoundation(type, at: index, orThrow: notRepresentable(at: index))
        }
        // Foundation does not find a type's minimum this way.
        guard let number, let magnitude = number.integerMagnitude, let value = Integer(exactly: magnitude) else {
            throw notRepresentable(at: index)
        }
        return number.isNegative ? 0 - value : value
    }

    func double(at index: Int, _ path: Path) throws -> Double {
        if let value = text.double(at: index) { return value }
        let token = text.tokens[index]
        guard token.kind == .number else { throw mismatch(Double.self, at: index, path) }
        return try finite(nearest(to: token), at: index)
    }

    func float(at index: Int, _ path: Path) throws -> Float {
        let token = text.tokens[index]
        guard token.kind == .number else { throw mismatch(Float.self, at: index, path) }
        return try finite(Float(text.text(of: token)), at: index)
    }

    func decimal(at index: Int, _ path: Path) throws -> Decimal {
        let token = text.tokens[index]
        guard token.kind == .number else { throw mismatch(Decimal.self, at: index, path) }
        if let number = number(token), number.digits != 0, number.exponent.magnitude < 100, fitsDecimal(token) {
            let digits = Decimal(number.digits)
            return Decimal(sign: number.isNegative ? .minus : .plus, exponent: number.exponent, significand: digits)
        }
        if token.trait == .plain, fitsDecimal(token), let decimal = bigDecimal(token) { return decimal }
        guard let decimal = Decimal(string: text.text(of: token)) else { throw notRepresentable(at: index) }
        return decimal
    }

    /// An integer of 20 to 38 digits, as the sum of its two halves, which is exact.
    private func bigDecimal(_ token: JSONToken) -> Decimal? {
        let isNegative = text.bytes[Int(token.start)] == UInt8(ascii: "-")
        let digits = text.bytes[token.content].dropFirst(isNegative ? 1 : 0)
        guard digits.count >= 20, digits.count <= 38 else { return nil }
        func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Decimal {
            Decimal(digits.reduce(UInt64(0)) { $0 * 10 + UInt64($1 &- 0x30) })
        }
        let sign: FloatingPointSign = isNegative ? .minus : .plus
        let high = Decimal(sign: sign, exponent: 19, significand: number(digits.dropLast(19)))
        return high + Decimal(sign: sign, exponent: 0, significand: number(digits.suffix(19)))
    }

    /// Whether all digits fit into a `Decimal`.
    private func fitsDecimal(_ token: JSONToken) -> Bool { token.content.count <= 38 }

    /// Rejects a number that is so large or small that it became infinity or zero.
    private func finite<Number: BinaryFloatingPoint & Decodable>(_ value: Number?, at index: Int) throws -> Number {
        guard let value, value.isFinite else { throw notRepresentable(at: index) }
        guard value == 0, !text.isZero(text.tokens[index]) else { return value }
        // Foundation rejects some zeros with an exponent as too small, and accepts others.
        if let number = number(text.tokens[index]), number.digits != 0 { throw notRepresentable(at: index) }
        return try decodeWithFoundation(Number.self, at: index, orThrow: notRepresentable(at: index))
    }

    /// The nearest floating-point number; `nil` if the token is not a number.
    private func nearest(to token: JSONToken) -> Double? {
        if let number = number(token) { return number.double() ?? Double(text.text(of: token)) }
        return JSONNumber.doubleOfManyDigits(text.bytes, token.content) ?? Double(text.text(of: token))
    }

    private func number(_ token: JSONToken) -> JSONNumber? {
        JSONNumber(text.bytes, token.content)
    }

    /// The error for a number that does not fit its type.
    private func notRepresentable(at index: Int) -> JSONError {
        .numberIsNotRepresentableInSwift(parsed: text.text(of: text.tokens[index]))
    }
}
