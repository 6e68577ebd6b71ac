package import Foundation

extension URL {
    /// Why this is no address that a request can go to; `nil` for one that it can.
    ///
    /// Looks at the bytes once: asking a URL for scheme, host, port, user and password costs ten times as much, and every
    /// request is looked at twice.
    package var addressFault: String? {
        var text = absoluteString
        return text.withUTF8 { bytes in
            guard let start = Self.authorityStart(in: bytes) else {
                return scheme.map { "the URL's scheme \($0.debugDescription) is not http or https" }
                    ?? "the URL has no scheme; it must be http or https"
            }
            var end = start
            while end < bytes.count, bytes[end] != 0x2F, bytes[end] != 0x3F, bytes[end] != 0x23 { end += 1 }
            return Self.fault(inAuthority: bytes[start..<end])
        }
    }

    /// Where the authority begins, when the scheme is one of ours.
    private static func authorityStart(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        for (start, expected) in [(8, "https://" as StaticString), (7, "http://")] where bytes.count >= start {
            let isSame = expected.withUTF8Buffer { expected in
                (0..<start).allSatisfy {
                    bytes[$0] == expected[$0] || ($0 < start - 3 && bytes[$0] | 0x20 == expected[$0])
                }
            }
            if isSame { return start }
        }
        return nil
    }

    private static func fault(inAuthority authority: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
        if authority.contains(UInt8(ascii: "@")) { return "the URL carries credentials; send them in a header instead" }
        var host = 0
        var port: Int?
        var isBracketed = false
        for byte in authority {
            switch byte {
            case UInt8(ascii: "["): isBracketed = true
            case UInt8(ascii: "]"): isBracketed = false
            case UInt8(ascii: ":") where !isBracketed && port == nil:
                port = 0
                continue
            case 0x30...0x39: break
            case 0...0x20, 0x7F, 0x22, 0x25, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B...0x7D:
                // A zone identifier is the one thing in a host that may have a percent sign.
                if byte == 0x25 && isBracketed { break }
                return "the URL's host has a character that is none of a name"
            default:
                if port != nil { return "the URL's port is not a number" }
            }
            if let digits = port { port = min(digits * 10 + Int(byte) - 0x30, 1 << 20) } else { host += 1 }
        }
        if host == 0 { return "the URL has no host" }
        if let port, !(1...65535).contains(port), authority.last != UInt8(ascii: ":") {
            return "the URL's port is out of range"
        }
        return nil
    }
}
