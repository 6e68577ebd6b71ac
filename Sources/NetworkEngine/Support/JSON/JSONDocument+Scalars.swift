extension JSONDocument {
    typealias Path = () -> [any CodingKey]

    /// The error for a value of another type, or for none.
    func mismatch(_ type: Any.Type, at index: Int, _ path: Path) -> DecodingError {
        let kind = kind(of: index)
        if kind == .null, type != Bool.self {
            let words = "null where \(type) was expected"
            return DecodingError.valueNotFound(type, .init(codingPath: path(), debugDescription: words))
        }
        let words = "\(kind) where \(type) was expected"
        return DecodingError.typeMismatch(type, .init(codingPath: path(), debugDescription: words))
    }

    func bool(at index: Int, _ path: Path) throws -> Bool {
        switch kind(of: index) {
        case .yes: true
        case .no: false
        default: throw mismatch(Bool.self, at: index, path)
        }
    }

    func string(at index: Int, _ path: Path) throws -> String {
        let token = tokens[index]
        guard token.kind == .string else { throw mismatch(String.self, at: index, path) }
        return text(of: token)
    }

    /// The same as for every integer, without a detour by generics.
    func int(at index: Int, _ path: Path) throws -> Int {
        let token = tokens[index]
        if token.kind == .number, token.trait == .plain,
            let number = bytes.withUnsafeBufferPointer({ JSONNumber(JSONBytes($0), token.content) }),
            let int = Int(exactly: number.int)
        {
            return int
        }
        return try integer(Int.self, at: index, path)
    }

    /// A number without fraction and exponent that fits; the platform decides about others, and the minus of an unsigned
    /// zero.
    func integer<Integer: FixedWidthInteger>(_ type: Integer.Type, at index: Int, _ path: Path) throws -> Integer {
        let token = tokens[index]
        guard token.kind == .number else { throw mismatch(type, at: index, path) }
        guard token.trait == .plain, Integer.bitWidth <= 64, Integer.isSigned || bytes[Int(token.start)] != 0x2D else {
            throw unsure()
        }
        let number = bytes.withUnsafeBufferPointer { JSONNumber(JSONBytes($0), token.content) }
        guard let integer = number?.integer(type) ?? Integer(text(of: token)) else { throw unsure() }
        return integer
    }

    func double(at index: Int, _ path: Path) throws -> Double {
        let token = tokens[index]
        guard token.kind == .number else { throw mismatch(Double.self, at: index, path) }
        let number = bytes.withUnsafeBufferPointer { JSONNumber(JSONBytes($0), token.content) }
        return try finite(number?.double() ?? Double(text(of: token)), token)
    }

    func float(at index: Int, _ path: Path) throws -> Float {
        let token = tokens[index]
        guard token.kind == .number else { throw mismatch(Float.self, at: index, path) }
        return try finite(Float(text(of: token)), token)
    }

    /// What is too large or too small to be told from infinity or zero, the platform refuses in its way.
    private func finite<Number: BinaryFloatingPoint>(_ number: Number?, _ token: JSONToken) throws -> Number {
        guard let number, number.isFinite, number != 0 || isZero(token) else { throw unsure() }
        return number
    }

    /// Whether there is no other digit than 0, in the exponent too: the platform wants it so.
    private func isZero(_ token: JSONToken) -> Bool {
        !bytes[token.content].contains { $0 > 0x30 && $0 <= 0x39 }
    }
}
