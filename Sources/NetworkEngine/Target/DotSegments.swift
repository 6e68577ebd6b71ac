import Foundation

/// Finds path segments that lead to a different path.
enum DotSegments {
    /// Whether a segment is `.` or `..`, including `%2e` for a dot and with parameters after a semicolon.
    ///
    /// Servers disagree about where a segment ends. Here slashes, backslashes and number signs end one.
    ///
    /// - Parameter splittingAtEscapes: whether escaped slashes and backslashes end a segment, too.
    static func occur(in path: String, splittingAtEscapes: Bool) -> Bool {
        var path = path
        return path.withUTF8 { bytes in
            let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
            guard bytes[..<end].contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") }) else {
                return false
            }
            return occur(in: bytes[start(of: bytes)..<max(end, start(of: bytes))], splittingAtEscapes)
        }
    }

    private static func occur(in bytes: Slice<UnsafeBufferPointer<UInt8>>, _ splitsAtEscapes: Bool) -> Bool {
        var (dots, isOther, isParameter) = (0, false, false)
        var rest = bytes
        while let byte = rest.popFirst() {
            var (meaning, isEscape) = (byte, false)
            if byte == UInt8(ascii: "%"), let value = value(of: rest.prefix(2)) {
                (meaning, isEscape) = (value, true)
                rest = rest.dropFirst(2)
            }
            switch meaning {
            case UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "#"):
                if isEscape, meaning == UInt8(ascii: "#") || !splitsAtEscapes {
                    isOther = isOther || !isParameter; break
                }
                if !isOther, dots == 1 || dots == 2 { return true }
                (dots, isOther, isParameter) = (0, false, false)
            case UInt8(ascii: ";") where !isEscape: isParameter = true
            case UInt8(ascii: ".") where !isParameter: dots += 1
            default: isOther = isOther || !isParameter
            }
        }
        return !isOther && (dots == 1 || dots == 2)
    }

    /// The index after the host of an absolute address.
    private static func start(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard bytes.starts(with: "http".utf8, by: { $0 | 0x20 == $1 }) else { return 0 }
        let rest = bytes.dropFirst(bytes.count > 4 && bytes[4] | 0x20 == UInt8(ascii: "s") ? 5 : 4)
        guard rest.starts(with: "://".utf8) else { return 0 }
        let host = rest.dropFirst(3)
        return host.firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
    }

    private static func value(of digits: Slice<UnsafeBufferPointer<UInt8>>) -> UInt8? {
        guard digits.count == 2 else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
