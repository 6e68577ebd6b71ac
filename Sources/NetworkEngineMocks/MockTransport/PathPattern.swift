import Foundation
import NetworkEngine

/// The URL pattern of a rule: origin, path segments and query.
struct PathPattern: Sendable, CustomStringConvertible {
    private enum Segment: Sendable {
        case glob(Glob)
        case name(String)
        case anything
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
        var parameters: [String: String] = [:]
        let differing = distance(segments[...], address.segments[...], &parameters)
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

    /// The smallest number of segments that differ.
    private func distance(
        _ pattern: ArraySlice<Segment>,
        _ path: ArraySlice<String>,
        _ parameters: inout [String: String]
    ) -> Int {
        guard let first = pattern.first else { return path.count }
        if case .anything = first {
            let rest = pattern.dropFirst()
            if rest.isEmpty { return 0 }
            var best: (distance: Int, parameters: [String: String])?
            for skipped in 0...path.count {
                var found = parameters
                let distance = distance(rest, path.dropFirst(skipped), &found)
                if distance < best?.distance ?? .max { best = (distance, found) }
                if distance == 0 { break }
            }
            parameters = best?.parameters ?? parameters
            return best?.distance ?? rest.count
        }
        guard let segment = path.first else {
            return pattern.count { if case .anything = $0 { false } else { true } }
        }
        let isSame: Bool
        switch first {
        case .glob(let glob): isSame = glob.matches(segment)
        case .name(let name):
            isSame = !segment.isEmpty
            parameters[name] = segment
        case .anything: isSame = true
        }
        return (isSame ? 0 : 1) + distance(pattern.dropFirst(), path.dropFirst(), &parameters)
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
