package import Foundation

/// The components of a URL or a reference as defined by RFC 3986, valid or not.
///
/// Splits bytes, because a separator with a combining mark is a single `Character`, which would hide the separator.
package struct AddressText {
    /// The scheme and the slashes; empty in a reference without a host.
    package let start: String
    package var userinfo: String?
    package let host: String
    package var path: String
    package var query: String?
    package var fragment: String?

    package init(_ text: String) {
        let bytes = Array(text.utf8)
        let hash = bytes.firstIndex(of: UInt8(ascii: "#"))
        fragment = hash.map { Self.text(bytes[($0 + 1)...]) }
        let whole = bytes[..<(hash ?? bytes.endIndex)]
        let mark = whole.firstIndex(of: UInt8(ascii: "?"))
        query = mark.map { Self.text(whole[($0 + 1)...]) }
        let hierarchy = whole[..<(mark ?? whole.endIndex)]
        guard let authority = Self.authority(in: hierarchy) else {
            (start, host, path) = ("", "", Self.text(hierarchy))
            return
        }
        start = Self.text(hierarchy[..<authority.lowerBound])
        let at = hierarchy[authority].lastIndex(of: UInt8(ascii: "@"))
        userinfo = at.map { Self.text(hierarchy[authority.lowerBound..<$0]) }
        host = Self.text(hierarchy[(at.map { $0 + 1 } ?? authority.lowerBound)..<authority.upperBound])
        path = Self.text(hierarchy[authority.upperBound...])
    }

    package var text: String {
        start + (userinfo.map { $0 + "@" } ?? "") + host + path + (query.map { "?" + $0 } ?? "")
            + (fragment.map { "#" + $0 } ?? "")
    }

    /// Rewrites the items of a query, separated by `&` or `;`.
    ///
    /// - Parameter rewrite: receives the name and the value without escapes. An item without `=` has no name. After a
    ///   semicolon it can also be the rest of the previous value, and is then also passed with that name. Returns the
    ///   replacement for the value, or `nil` to keep it.
    package static func rewriting(
        items query: String,
        _ rewrite: (_ name: String?, _ value: String) -> String?
    ) -> String {
        var nameBefore: String?
        return items(of: query).reduce(into: "") { result, item in
            let (name, value) = parts(of: item.text)
            let nameOfValue = name.map(plain) ?? nameBefore
            var replacement = item.text.isEmpty ? nil : rewrite(nameOfValue, plain(value))
            if replacement == nil, name == nil, nameBefore != nil { replacement = rewrite(nil, plain(value)) }
            result += (name.map { text($0) + "=" } ?? "") + (replacement ?? text(value)) + item.separator
            nameBefore = item.separator == ";" ? nameOfValue : nil
        }
    }

    /// Rewrites words of a text that look like a URL, or like a reference with items in its query or fragment.
    package static func rewriting(addressesIn text: String, _ rewrite: (_ address: String) -> String) -> String {
        guard text.utf8.contains(where: Self.beginsItems) || text.contains("://") else { return text }
        var result = ""
        var word = ""
        func finishWord() {
            let isAddress = word.contains("://") || (word.utf8.contains(where: Self.beginsItems) && word.contains("="))
            result += isAddress ? rewrite(word) : word
            word = ""
        }
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace || ["<", ">", "\"", "'", "(", ")"].contains(scalar) {
                finishWord()
                result.unicodeScalars.append(scalar)
            } else {
                word.unicodeScalars.append(scalar)
            }
        }
        finishWord()
        return result
    }

    /// Whether a query or a fragment starts here.
    private static func beginsItems(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") }

    /// Removes items from a query.
    package static func removing(
        itemsOf query: String,
        where shouldRemove: (_ name: String?, _ value: String) -> Bool
    ) -> String {
        let kept = items(of: query).filter { item in
            let (name, value) = parts(of: item.text)
            return !shouldRemove(name.map(plain), plain(value))
        }
        return kept.dropLast().map { text($0.text) + $0.separator }.joined() + (kept.last.map { text($0.text) } ?? "")
    }

    /// The names and values of a query or form, without escapes.
    package static func pairs(of query: String) -> [(name: String, value: String)] {
        items(of: query).filter { !$0.text.isEmpty }.map { item in
            let (name, value) = parts(of: item.text)
            return (plain(name ?? []), plain(value))
        }
    }

    /// The items of a query, each with the separator after it.
    private static func items(of query: String) -> [(text: ArraySlice<UInt8>, separator: String)] {
        var items: [(text: ArraySlice<UInt8>, separator: String)] = []
        var rest = Array(query.utf8)[...]
        while let end = rest.firstIndex(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: ";") }) {
            items.append((rest[..<end], text(rest[end...end])))
            rest = rest[(end + 1)...]
        }
        return items + [(rest, "")]
    }

    private static func parts(of item: ArraySlice<UInt8>) -> (name: ArraySlice<UInt8>?, value: ArraySlice<UInt8>) {
        guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else { return (nil, item) }
        return (item[..<equals], item[(equals + 1)...])
    }

    /// The range of the authority, which follows two slashes at the start or after a scheme.
    private static func authority(in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        var index = bytes.startIndex
        while index < bytes.endIndex, bytes[index] != UInt8(ascii: "/") { index += 1 }
        guard bytes[index...].starts(with: "//".utf8) else { return nil }
        guard index == bytes.startIndex || bytes[index - 1] == UInt8(ascii: ":") else { return nil }
        let start = index + 2
        return start..<(bytes[start...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex)
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Decodes escapes and plus signs.
    private static func plain(_ bytes: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%"), bytes[(index + 1)...].beginsWithHexPair,
                let escaped = UInt8(text(bytes[(index + 1)...(index + 2)]), radix: 16)
            {
                result.append(escaped)
                index += 3
            } else {
                result.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension URL {
    /// The URL without the segments `.` and `..` in its path (RFC 3986, 5.2.4).
    ///
    /// URLSession on Linux also removes them, so that a URL means the same with every transport.
    package var withoutDotSegments: URL {
        let text = absoluteString
        guard text.mayHaveDotSegments else { return self }
        let plain = text.withoutDotSegments
        return plain == text ? self : URL(string: plain) ?? self
    }
}

extension String {
    /// An absolute URL without the segments `.` and `..` in its path.
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
        // A path that ends in dots refers to a folder.
        if let last = segments.last.map({ Substring($0) }), last == "." || last == ".." { kept.append("") }
        address.path = "/" + kept.joined(separator: "/")
        return address.text
    }

    /// Whether a dot follows a slash anywhere.
    fileprivate var mayHaveDotSegments: Bool {
        var text = self
        return text.withUTF8 { bytes in
            var followsSlash = false
            for byte in bytes {
                if followsSlash, byte == UInt8(ascii: ".") { return true }
                followsSlash = byte == UInt8(ascii: "/")
            }
            return false
        }
    }
}

extension String {
    /// The URL or reference with all characters that RFC 3986 forbids as `%XX`. Valid escapes are kept.
    ///
    /// Foundation escapes every `%` again if it finds one forbidden character.
    package var escapedReference: String {
        let parts = AddressText(self)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count + 16)
        bytes += parts.start.utf8
        if let userinfo = parts.userinfo {
            bytes.append(escaping: Array(userinfo.utf8)[...], keeping: .path)
            bytes.append(UInt8(ascii: "@"))
        }
        bytes.append(escaping: Array(parts.host.utf8)[...], keeping: .host)
        bytes.append(escaping: Array(parts.path.utf8)[...], keeping: .path)
        for (mark, part) in [(UInt8(ascii: "?"), parts.query), (UInt8(ascii: "#"), parts.fragment)] {
            guard let part else { continue }
            bytes.append(mark)
            bytes.append(escaping: Array(part.utf8)[...], keeping: .query)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
