/// A number of up to 18 digits, exact: digits times a power of ten.
struct JSONNumber {
    private let isNegative: Bool
    private let digits: UInt64
    private let exponent: Int

    /// Nothing where there are more digits, or the exponent is beyond every use.
    init?(_ bytes: JSONBytes, _ content: Range<Int>) {
        isNegative = bytes[content.lowerBound] == UInt8(ascii: "-")
        var (digits, exponent, count, isFraction) = (UInt64(0), 0, 0, false)
        var index = content.lowerBound + (isNegative ? 1 : 0)
        while index < content.upperBound {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: ".") {
                isFraction = true
            } else if byte &- 0x30 < 10 {
                count += 1
                guard count <= 18 else { return nil }
                digits = digits &* 10 &+ UInt64(byte &- 0x30)
                if isFraction { exponent -= 1 }
            } else {
                guard let power = Self.power(bytes, index..<content.upperBound) else { return nil }
                exponent += power
                break
            }
        }
        self.digits = digits
        self.exponent = exponent
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

    /// The number where it is written without exponent and fraction.
    var int: Int64 { isNegative ? -Int64(digits) : Int64(digits) }

    /// The nearest number, where one operation gives it: both sides are exact then and the operation rounds once.
    func double() -> Double? {
        guard digits <= 1 << 53, exponent.magnitude < Self.powers.count else { return nil }
        let magnitude = Double(digits)
        let power = Self.powers[Int(exponent.magnitude)]
        let number = exponent < 0 ? magnitude / power : magnitude * power
        return isNegative ? -number : number
    }

    /// The powers of ten that a double is exact for.
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
