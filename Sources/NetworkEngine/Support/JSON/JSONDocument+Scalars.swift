extension JSONDocument {
    typealias Path = () -> [any CodingKey]

    /// The error for a value of another type, or for none.
    func mismatch(_ type: Any.Type, at index: Int, _ path: Path) -> DecodingError {
        let kind = kind(of: index)
        let context = DecodingError.Context(codingPath: path(), debugDescription: kind.words)
        return kind == .null && type != Bool.self ? .valueNotFound(type, context) : .typeMismatch(type, context)
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

    /// A whole number. With fraction, exponent, or the minus of an unsigned zero, the platform says which it is, if any.
    func integer<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type, at index: Int, _ path: Path) throws
        -> Integer
    {
        let token = tokens[index]
        guard token.kind == .number else { throw mismatch(type, at: index, path) }
        guard token.trait == .plain, Integer.bitWidth <= 64, Integer.isSigned || bytes[Int(token.start)] != 0x2D else {
            return try asked(type, at: index)
        }
        let number = bytes.withUnsafeBufferPointer { JSONNumber(JSONBytes($0), token.content) }
        return try number.flatMap { Integer(exactly: $0.int) } ?? Integer(text(of: token)) ?? asked(type, at: index)
    }

    func double(at index: Int, _ path: Path) throws -> Double {
        let token = tokens[index]
        guard token.kind == .number else { throw mismatch(Double.self, at: index, path) }
        let number = bytes.withUnsafeBufferPointer { JSONNumber(JSONBytes($0), token.content) }
        return try finite(number?.double() ?? Double(text(of: token)), at: index)
    }

    func float(at index: Int, _ path: Path) throws -> Float {
        let token = tokens[index]
        guard token.kind == .number else { throw mismatch(Float.self, at: index, path) }
        return try finite(Float(text(of: token)), at: index)
    }

    /// The platform looks closer at what is too large or too small to be told from infinity or zero.
    private func finite<Number: BinaryFloatingPoint & Decodable>(_ number: Number?, at index: Int) throws -> Number {
        guard let number, number.isFinite, number != 0 || isZero(tokens[index]) else {
            return try asked(Number.self, at: index)
        }
        return number
    }

    /// Whether there is no other digit than 0, in the exponent too.
    private func isZero(_ token: JSONToken) -> Bool {
        !bytes[token.content].contains { $0 > 0x30 && $0 <= 0x39 }
    }
}

extension JSONToken.Kind {
    /// What stands there, where something else was expected.
    fileprivate var words: String {
        switch self {
        case .null: "there is null"
        case .no, .yes: "there is a truth value"
        case .number: "there is a number"
        case .string: "there is a string"
        case .array: "there is an array"
        case .object: "there is an object"
        }
    }
}
