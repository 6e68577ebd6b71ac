package import Foundation

extension URL {
    /// The address without the segments `.` and `..` in its path (RFC 3986, 5.2.4).
    ///
    /// URLSession on Linux sends no others. Every transport does the same, so that an address means one thing.
    package var withoutDotSegments: URL {
        let text = absoluteString
        guard text.mayHaveDotSegments else { return self }
        let plain = text.withoutDotSegments
        return plain == text ? self : URL(string: plain) ?? self
    }
}

extension String {
    /// An absolute address without the segments `.` and `..` in its path.
    package var withoutDotSegments: String {
        guard mayHaveDotSegments else { return self }
        var address = AddressText(self)
        guard address.path.utf8.first == UInt8(ascii: "/") else { return self }
        let segments = address.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .dropFirst()
        var kept: [Substring] = []
        for segment in segments.map({ Substring($0) }) {
            switch segment {
            case ".": break
            case "..": _ = kept.popLast()
            default: kept.append(segment)
            }
        }
        // A path that ends in dots is that of a folder.
        if let last = segments.last.map({ Substring($0) }), last == "." || last == ".." { kept.append("") }
        address.path = "/" + kept.joined(separator: "/")
        return address.text
    }

    /// Whether a dot follows a slash anywhere.
    fileprivate var mayHaveDotSegments: Bool {
        var text = self
        return text.withUTF8 { bytes in
            var isBehindSlash = false
            for byte in bytes {
                if isBehindSlash, byte == UInt8(ascii: ".") { return true }
                isBehindSlash = byte == UInt8(ascii: "/")
            }
            return false
        }
    }
}
