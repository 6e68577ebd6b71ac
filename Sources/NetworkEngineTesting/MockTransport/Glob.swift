/// A text in which each `*` stands for any characters, also none.
struct Glob: Sendable {
    let text: String
    private let parts: [Substring.UTF8View]

    init(_ text: String) {
        self.text = text
        parts = text.split(separator: "*", omittingEmptySubsequences: false).map(\.utf8)
    }

    func matches(_ value: String) -> Bool {
        guard let first = parts.first, let last = parts.last, parts.count > 1 else { return value == text }
        var rest = value.utf8[...]
        guard rest.count >= first.count + last.count, rest.starts(with: first) else { return false }
        rest = rest.dropFirst(first.count)
        guard rest.suffix(last.count).elementsEqual(last) else { return false }
        rest = rest.dropLast(last.count)
        for part in parts.dropFirst().dropLast() {
            while !rest.starts(with: part) {
                if rest.isEmpty { return false }
                rest = rest.dropFirst()
            }
            rest = rest.dropFirst(part.count)
        }
        return true
    }
}
