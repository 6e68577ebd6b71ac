import Foundation
import NetworkEngine

/// The URL pattern of a rule: origin, path segments and query.
struct PathPattern: Sendable, CustomStringConvertible {
    private enum Segment: Sendable {
        case glob(Glob)
        case name(String)
        case anything

        var isAnything: Bool { if case .anything = self { true } else { false } }

        func matches(_ text: String) -> Bool {
            switch self {
            case .glob(let glob): glob.matches(text)
            case .name: !text.isEmpty
            case .anything: true
            }
        }
    }

    private let origin: Glob?
    private let segments: [Segment]
    private let query: [(name: String, value: Glob)]
    private let matchesEverything: Bool
    let description: String

    init(_ pattern: String, query: [String: String] = [:]) {
        var rest = pattern[...]
        var items = query.sorted { $0.key < $1.key }.map { (name: $0.key, value: Glob($0.value)) }
        if let mark = rest.firstIndex(of: "?") {
            items = MockAddress.items(rest[rest.index(after: mark)...]).map { ($0.name, Glob($0.value)) } + items
            rest = rest[..<mark]
        }
        if let scheme = rest.range(of: "://") {
            let end = rest[scheme.upperBound...].firstIndex(of: "/") ?? rest.endIndex
            origin = Glob(rest[..<end].lowercased())
            rest = rest[end...]
        } else {
            origin = nil
        }
        segments = MockAddress.segments(rest).map { segment in
            if segment == "**" { return .anything }
            return segment.hasPrefix(":") ? .name(String(segment.dropFirst())) : .glob(Glob(segment))
        }
        self.query = items
        matchesEverything = pattern == "**" && query.isEmpty
        let shown = query.keys.sorted().map { "query \($0)" }
        description = ([pattern == "**" ? "any path" : pattern] + shown).joined(separator: ", ")
    }

    /// Reports differences with their weights, and returns the named segments.
    func compare(_ url: URL, report: (_ mismatch: String, _ weight: Int) -> Void) -> [String: String] {
        if matchesEverything { return [:] }
        let address = MockAddress(url)
        if let origin, !origin.matches(address.origin) {
            report("the origin is \(address.origin), not \(origin.text)", 200)
        }
        let (differing, parameters) = distance(to: address.segments)
        if differing > 0 { report("the path is \(address.path)", 100 * differing) }
        guard !query.isEmpty else { return parameters }
        let items = address.items
        for (name, value) in query {
            let found = items.filter { $0.name == name }.map(\.value)
            if found.contains(where: value.matches) { continue }
            let show = { (text: String) in
                Redaction.isSecret(parameter: name) ? Redaction.placeholder : text.debugDescription
            }
            let actual = found.isEmpty ? "missing" : found.map(show).joined(separator: " and ")
            report("query item \(name) is \(actual), not \(show(value.text))", 10)
        }
        return parameters
    }

    /// The smallest number of segments that differ, and the named segments. A `**` matches as few as possible.
    private func distance(to path: [String]) -> (Int, [String: String]) {
        let start = segments.firstIndex(where: \.isAnything) ?? segments.endIndex
        let distances = distances(of: segments[start...], to: path.dropFirst(start))
        var parameters: [String: String] = [:]
        var (index, position, differing) = (0, 0, 0)
        while index < segments.count {
            if segments[index].isAnything {
                let row = index - start
                let isLast = position >= path.count
                let isShortest = isLast || distances[row][position - start] == distances[row + 1][position - start]
                (index, position) = isShortest ? (index + 1, position) : (index, position + 1)
            } else {
                if position < path.count {
                    if case .name(let name) = segments[index] { parameters[name] = path[position] }
                    if !segments[index].matches(path[position]) { differing += 1 }
                } else {
                    differing += 1
                }
                (index, position) = (index + 1, min(position + 1, path.count))
            }
        }
        return (differing + path.count - position, parameters)
    }

    /// The number of segments that differ, for each suffix of the pattern and each suffix of the path.
    private func distances(of pattern: ArraySlice<Segment>, to path: ArraySlice<String>) -> [[Int]] {
        if pattern.isEmpty { return [] }
        var rows = [Array((0...path.count).reversed())]
        for segment in pattern.reversed() {
            let below = rows[rows.count - 1]
            var row = below
            if segment.isAnything {
                for index in (0..<path.count).reversed() { row[index] = min(below[index], row[index + 1]) }
            } else {
                row[path.count] = below[path.count] + 1
                for (index, text) in path.enumerated() {
                    row[index] = below[index + 1] + (segment.matches(text) ? 0 : 1)
                }
            }
            rows.append(row)
        }
        return rows.reversed()
    }
}

/// A text in which each `*` matches any number of characters.
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
