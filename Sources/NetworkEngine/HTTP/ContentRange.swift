/// The part of a resource that a response contains: `bytes 0-499/1234` (RFC 9110, 14.4).
package struct ContentRange: Hashable, Sendable {
    package let start: Int64
    /// The position of the last byte.
    package let end: Int64
    /// The length of the resource, if known.
    package let total: Int64?

    /// Returns `nil` unless the text is exactly one such range.
    package init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let places = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard places.count == 2, let start = places[0].number, let end = places[1].number, start <= end else {
            return nil
        }
        if halves[1] == "*" {
            total = nil
        } else {
            guard let total = halves[1].number, total > end else { return nil }
            self.total = total
        }
        self.start = start
        self.end = end
    }
}

extension Substring {
    fileprivate var number: Int64? {
        !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(self) : nil
    }
}

extension HTTPHeaders {
    /// The strong `ETag`, or a `Last-Modified` old enough to identify the exact bytes (RFC 9110, 8.8.2.2).
    package var strongValidator: String? {
        if let tag = self["ETag"] { return tag.isStrongTag && tag.isFieldValue ? tag : nil }
        guard let text = self["Last-Modified"], let modified = HTTPDate.seconds(text),
            let date = self["Date"].flatMap(HTTPDate.seconds), date - modified >= 60
        else { return nil }
        return text
    }
}

extension String {
    /// Whether this is a strong entity tag.
    var isStrongTag: Bool { utf8.count >= 2 && hasPrefix("\"") && hasSuffix("\"") }
}
