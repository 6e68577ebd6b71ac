/// A set of ASCII characters, as two words of bits.
package struct ASCIISet: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    private init(_ characters: StaticString) {
        characters.withUTF8Buffer { bytes in
            for byte in bytes { insert(byte) }
        }
    }

    private mutating func insert(_ byte: UInt8) {
        if byte < 64 { low |= 1 << UInt64(byte) } else if byte < 128 { high |= 1 << UInt64(byte - 64) }
    }

    func union(_ bytes: [UInt8]) -> ASCIISet {
        var set = self
        for byte in bytes { set.insert(byte) }
        return set
    }

    package func contains(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<64: low & (1 << UInt64(byte)) != 0
        case 64..<128: high & (1 << UInt64(byte - 64)) != 0
        default: false
        }
    }

    /// Characters without a meaning in RFC 3986, which are safe in any name and value.
    package static let unreserved = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    /// Characters that can remain unescaped in the names and values of queries and forms.
    static let withoutMeaningInFields = ASCIISet("/?:@!$'()*,;[]")
    package static let lettersAndDigits = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    /// The characters of a host, including the brackets of an IPv6 address and a port.
    static let host = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:[]")
    /// The characters of a path, with slashes.
    static let path = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/")
    /// The characters of a query.
    static let query = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?")
    /// The characters of method and field names.
    static let token = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~")
    /// Characters that are illegal in a host, port or user name.
    static let illegalInAuthority: ASCIISet = {
        var set = ASCIISet("\"<>\\^`{|} \u{7F}")
        for control: UInt8 in 0..<0x20 { set.insert(control) }
        return set
    }()
}

extension StringProtocol {
    /// Whether this is an HTTP token: at least one character, and no separators or control characters.
    package var isToken: Bool {
        let legal = ASCIISet.token
        return !utf8.isEmpty && utf8.allSatisfy { legal.contains($0) }
    }

    /// Whether this is a legal field value. A tab is the only control character allowed (RFC 9110, 5.5).
    package var isFieldValue: Bool { utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 } }
}

extension String {
    /// Compares ASCII letters case-insensitively, without a copy.
    package func equalsIgnoringASCIICase(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return zip(utf8, other.utf8).allSatisfy { left, right in
            left == right || (left ^ right == 0x20 && (0x61...0x7A).contains(left | 0x20))
        }
    }
}

extension UInt8 {
    /// Whether this is a space or a tab, the blanks between the parts of a field (RFC 9110, 5.6.3).
    package var isBlank: Bool { self == 0x20 || self == 0x09 }
}

extension ArraySlice<UInt8> {
    /// The bytes without surrounding blanks.
    package var trimmingBlanks: ArraySlice<UInt8> {
        let start = drop(while: \.isBlank)
        return start[..<(start.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? start.startIndex)]
    }

    /// Removes leading blanks.
    package mutating func removeBlanks() { self = drop(while: \.isBlank) }

    /// Removes the leading token, which is empty if there is none.
    package mutating func removeToken() -> String {
        let legal = ASCIISet.token
        let token = prefix { legal.contains($0) }
        self = self[token.endIndex...]
        return String(decoding: token, as: UTF8.self)
    }

    /// Removes the leading quoted string, and returns its content without escapes.
    ///
    /// A string without a closing quotation mark ends with the text, and is not closed.
    package mutating func removeQuotedString() -> (text: String, isClosed: Bool) {
        var content: [UInt8] = []
        self = dropFirst()
        while let byte = popFirst() {
            if byte == UInt8(ascii: "\"") { return (String(decoding: content, as: UTF8.self), true) }
            if let byte = byte == UInt8(ascii: "\\") ? popFirst() : byte { content.append(byte) }
        }
        return (String(decoding: content, as: UTF8.self), false)
    }
}
