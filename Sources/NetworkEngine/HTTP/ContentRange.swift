/// Which part of a whole a response brings: `bytes 0-499/1234` (RFC 9110 14.4).
package struct ContentRange: Hashable, Sendable {
    package let start: Int64
    /// The place of the last byte.
    package let end: Int64
    /// How long the whole is, where the server says so.
    package let total: Int64?

    /// Throws nothing away: what is not exactly such a range is none.
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
