/// A set of ASCII characters, as two words of bits.
struct ASCIISet: Sendable {
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

    func contains(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<64: low & (1 << UInt64(byte)) != 0
        case 64..<128: high & (1 << UInt64(byte - 64)) != 0
        default: false
        }
    }

    /// What RFC 3986 never gives a meaning: safe in any name and value.
    static let unreserved = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    static let lettersAndDigits = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    /// What may stand in a host, the brackets of an IPv6 address and a port included.
    static let host = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:[]")
    /// What may stand in a path, slashes included.
    static let path = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/")
    /// What may stand in a query.
    static let query = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?")
    /// What names of methods and fields are made of.
    static let token = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~")
    /// What no host, port or user name is written with.
    static let illegalInAuthority: ASCIISet = {
        var set = ASCIISet("\"<>\\^`{|} \u{7F}")
        for control: UInt8 in 0..<0x20 { set.insert(control) }
        return set
    }()
}
