/// A scanned text, from which the members of a type are read.
///
/// It points into memory that its document owns, and copying it needs no reference counting. Its functions return `nil`
/// if the document must read the value, or create an error.
struct JSONText {
    let tokens: JSONTokens
    let bytes: JSONBytes
    let keyStyle: JSONKeyStyle

    init(tokens: JSONTokens, bytes: JSONBytes, keyStyle: JSONKeyStyle) {
        self.tokens = tokens
        self.bytes = bytes
        self.keyStyle = keyStyle
    }

    /// Creates an empty text.
    init(keyStyle: JSONKeyStyle) {
        self.init(
            tokens: JSONTokens(.init(start: nil, count: 0)), bytes: JSONBytes(.init(start: nil, count: 0)),
            keyStyle: keyStyle)
    }

    @inline(__always)
    func kind(of index: Int) -> JSONToken.Kind { tokens[index].kind }

    @inline(__always)
    func bool(at index: Int) -> Bool? {
        switch kind(of: index) {
        case .true: true
        case .false: false
        default: nil
        }
    }

    @inline(__always)
    func string(at index: Int) -> String? {
        let token = tokens[index]
        return token.kind == .string ? text(of: token) : nil
    }

    @inline(__always)
    func int(at index: Int) -> Int? {
        let token = tokens[index]
        guard token.kind == .number, token.trait == .plain else { return nil }
        if token.content.count <= JSONBytes.digitsOfInt { return bytes.integer(token.content) }
        return JSONNumber(bytes, token.content)?.integer(Int.self)
    }

    @inline(__always)
    func double(at index: Int) -> Double? {
        let token = tokens[index]
        guard token.kind == .number, let value = JSONNumber(bytes, token.content)?.double() else { return nil }
        // Foundation rejects some zeros with an exponent.
        return value != 0 || isZero(token) ? value : nil
    }

    /// Whether all digits are 0, including those in the exponent.
    func isZero(_ token: JSONToken) -> Bool { !bytes[token.content].contains { $0 > 0x30 && $0 <= 0x39 } }

    /// Reads a text that is one value of a common type; `nil` for any other type or content.
    func scalar<Value>(_ type: Value.Type) -> Value? {
        if type == Int.self { return int(at: 0) as? Value }
        if type == String.self { return string(at: 0) as? Value }
        if type == Double.self { return double(at: 0) as? Value }
        if type == Bool.self { return bool(at: 0) as? Value }
        return nil
    }

    /// The text of a string, name or number.
    func text(of token: JSONToken) -> String {
        guard token.trait != .escaped else { return bytes.unescaped(token.content) }
        return String(decoding: bytes[token.content], as: UTF8.self)
    }

    // MARK: Members

    /// The index of a member's value, in an object without a dictionary of its members.
    ///
    /// If several members have the same name, the first one is used.
    func value(named name: String, in object: Int) -> Int? {
        var name = name
        let found = name.withUTF8 { value(named: $0, in: object) }
        guard found == nil, !name.utf8.allSatisfy({ $0 < 0x80 }) else { return found }
        var same: Int?
        forEachMember(of: object) { if same == nil, keyStyle.key(for: $0) == name { same = $1 } }
        return same
    }

    private func value(named name: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
        guard keyStyle == .asWritten else { return value(inCamelCase: name, in: object) }
        let mark = JSONBytes(name).mark(of: 0..<name.count)
        let end = Int(tokens[object].next)
        var index = object + 1
        while index < end {
            let token = tokens[index]
            if token.count == mark, bytes.hasSameBytes(token.content, as: name) { return index + 1 }
            index = Int(tokens[index + 1].next)
        }
        return nil
    }

    private func value(inCamelCase name: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
        let end = Int(tokens[object].next)
        var index = object + 1
        while index < end {
            if CamelCase(bytes, tokens[index].content)?.equals(name) == true { return index + 1 }
            index = Int(tokens[index + 1].next)
        }
        return nil
    }

    /// Passes the names and value indices in document order.
    func forEachMember(of object: Int, _ body: (_ name: String, _ value: Int) throws -> Void) rethrows {
        try forEachName(of: object) { try body(text(of: tokens[$0]), $0 + 1) }
    }

    /// Passes the indices of the names.
    func forEachName(of object: Int, _ body: (_ name: Int) throws -> Void) rethrows {
        let end = Int(tokens[object].next)
        var index = object + 1
        while index < end {
            try body(index)
            index = Int(tokens[index + 1].next)
        }
    }
}
