/// An exact decimal number: digits without trailing zeros, times a power of ten.
struct JSONNumber {
    let isNegative: Bool
    let digits: UInt64
    let exponent: Int

    /// Returns `nil` for more digits than fit into 64 bits, and for an exponent of 10,000 or more.
    init?(_ bytes: JSONBytes, _ content: Range<Int>) {
        isNegative = bytes[content.lowerBound] == UInt8(ascii: "-")
        var digits = Digits()
        var index = content.lowerBound + (isNegative ? 1 : 0)
        guard digits.read(bytes, &index) else { return nil }
        var exponent = 0
        if bytes[index] == UInt8(ascii: "."), index < content.upperBound {
            index += 1
            let start = index
            guard digits.read(bytes, &index) else { return nil }
            exponent = start - index
        }
        if index < content.upperBound {
            guard let power = Self.power(bytes, index + 1..<content.upperBound) else { return nil }
            exponent += power
        }
        self.digits = digits.value
        self.exponent = digits.value == 0 ? 0 : exponent + digits.zeros
    }

    private init(isNegative: Bool, digits: UInt64, exponent: Int) {
        (self.isNegative, self.digits, self.exponent) = (isNegative, digits, exponent)
    }

    /// The nearest floating-point number for more digits than fit into 64 bits; `nil` if this requires all of them.
    ///
    /// The number is between its first 19 digits and the next 19-digit number. Both usually have the same nearest
    /// floating-point number.
    static func doubleOfManyDigits(_ bytes: JSONBytes, _ content: Range<Int>) -> Double? {
        let isNegative = bytes[content.lowerBound] == UInt8(ascii: "-")
        var (digits, count, exponent, isFraction) = (UInt64(0), 0, 0, false)
        var index = content.lowerBound + (isNegative ? 1 : 0)
        while index < content.upperBound {
            let byte = bytes[index]
            if byte == UInt8(ascii: ".") {
                isFraction = true
            } else if case let digit = byte &- 0x30, digit < 10 {
                let isKept = count < 19
                if isKept { digits = digits * 10 + UInt64(digit) }
                if digits != 0 { count += 1 }
                exponent += (isKept ? 0 : 1) - (isFraction ? 1 : 0)
            } else {
                break
            }
            index += 1
        }
        if index < content.upperBound {
            guard let power = power(bytes, index + 1..<content.upperBound) else { return nil }
            exponent += power
        }
        let low = JSONNumber(isNegative: isNegative, digits: digits, exponent: exponent).double()
        let high = JSONNumber(isNegative: isNegative, digits: digits + 1, exponent: exponent).double()
        return low == high ? low : nil
    }

    /// The digits so far and the number of zeros after them.
    private struct Digits {
        var value: UInt64 = 0
        var zeros = 0
        private var count = 0

        /// Reads all digits; returns `false` if there are too many.
        @inline(__always)
        mutating func read(_ bytes: JSONBytes, _ index: inout Int) -> Bool {
            while let word = bytes.word(at: index), word.digitCount == 8, append(word) { index += 8 }
            while true {
                let digit = bytes[index] &- 0x30
                guard digit < 10 else { return true }
                index += 1
                if digit != 0 {
                    guard append(digit: UInt64(digit)) else { return false }
                } else if value != 0 {
                    zeros += 1
                }
            }
        }

        /// Appends eight digits, unless they are too many, begin the number with a zero or end with one.
        @inline(__always)
        private mutating func append(_ word: UInt64) -> Bool {
            guard count + zeros <= 11, word >> 56 != 0x30, value != 0 || word & 0xFF != 0x30 else { return false }
            count += zeros + 8
            while zeros > 0 {
                value &*= 10
                zeros -= 1
            }
            value = value &* 100_000_000 &+ word.numberOfDigits
            return true
        }

        @inline(__always)
        private mutating func append(digit: UInt64) -> Bool {
            count += zeros + 1
            // 19 digits always fit.
            guard count <= 19 else { return appendLast(digit) }
            while zeros > 0 {
                value &*= 10
                zeros -= 1
            }
            value = value &* 10 &+ digit
            return true
        }

        private mutating func appendLast(_ digit: UInt64) -> Bool {
            guard count == 20 else { return false }
            while zeros > 0 {
                value *= 10
                zeros -= 1
            }
            let (product, isOver) = value.multipliedReportingOverflow(by: 10)
            let (sum, isFull) = product.addingReportingOverflow(digit)
            value = sum
            return !isOver && !isFull
        }
    }

    private static func power(_ bytes: JSONBytes, _ content: Range<Int>) -> Int? {
        var (power, isNegative) = (0, false)
        for index in content {
            switch bytes[index] {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "+"): continue
            default: power = power * 10 + Int(bytes[index] &- 0x30)
            }
            guard power < 10_000 else { return nil }
        }
        return isNegative ? -power : power
    }

    /// The number without its fraction; `nil` if it does not fit the type.
    @inline(__always)
    func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
        guard let magnitude = exponent == 0 ? digits : integerMagnitude else { return nil }
        guard isNegative else { return Integer(exactly: magnitude) }
        guard magnitude <= Int64.min.magnitude else { return nil }
        return Integer(exactly: Int64(truncatingIfNeeded: 0 &- magnitude))
    }

    /// The magnitude without its fraction; `nil` if it has more than 64 bits.
    var integerMagnitude: UInt64? {
        var magnitude = digits
        if exponent < 0 {
            for _ in exponent..<0 {
                guard magnitude != 0 else { break }
                magnitude /= 10
            }
            return magnitude
        }
        for _ in 0..<exponent {
            let (product, isOver) = magnitude.multipliedReportingOverflow(by: 10)
            guard !isOver else { return nil }
            magnitude = product
        }
        return magnitude
    }

    /// The nearest floating-point number, if an exact calculation with a single rounding returns it.
    ///
    /// Otherwise `nil`: for an exponent beyond 27 with many digits.
    func double() -> Double? {
        let power = Int(exponent.magnitude)
        if digits <= 1 << 53, power < Self.powers.count {
            let magnitude = Double(digits)
            let number = exponent < 0 ? magnitude / Self.powers[power] : magnitude * Self.powers[power]
            return isNegative ? -number : number
        }
        guard power < Self.powersOfFive.count else { return nil }
        let number = exponent < 0 ? quotient(by: Self.powersOfFive[power]) : product(with: Self.powersOfFive[power])
        return isNegative ? -number : number
    }

    /// The digits, which are not 0, divided by a power of five and the same power of two.
    ///
    /// Both operands are shifted until their highest bits are set. The quotient then has at least 63 bits. Its lowest
    /// bit is set if there is a remainder, so that the conversion rounds as if it had all of it.
    private func quotient(by power: UInt64) -> Double {
        let (shift, powerShift) = (digits.leadingZeroBitCount, power.leadingZeroBitCount)
        let dividend = digits << shift
        let (quotient, remainder) = (power << powerShift).dividingFullWidth((dividend >> 1, dividend << 63))
        let bits = remainder == 0 ? quotient : quotient | 1
        return Double(sign: .plus, exponent: powerShift - shift + exponent - 63, significand: Double(bits))
    }

    /// The digits times a power of five and the same power of two.
    private func product(with power: UInt64) -> Double {
        let (high, low) = digits.multipliedFullWidth(by: power)
        guard high != 0 else { return Double(sign: .plus, exponent: exponent, significand: Double(low)) }
        let shift = high.leadingZeroBitCount
        let bits = shift == 0 ? high : high << shift | low >> (64 - shift)
        let rest = low << shift
        let exact = rest == 0 ? bits : bits | 1
        return Double(sign: .plus, exponent: 64 - shift + exponent, significand: Double(exact))
    }

    /// The powers of five that fit into 63 bits.
    private static let powersOfFive: [UInt64] = (0...27).map { (0..<$0).reduce(1) { power, _ in power * 5 } }

    /// The powers of ten that a `Double` represents exactly.
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
