import NetworkEngine

/// The domains under which anyone can register names, such as `com`, `co.uk` and `github.io`.
///
/// Host names must be in normalized form. A host with a trailing dot is treated as the same host. The suffix of a name
/// without a matching rule is its last label.
enum PublicSuffixes {
    /// Whether a host is itself a public suffix.
    static func contains(_ host: String) -> Bool {
        let labels = labels(of: host)
        return !labels.isEmpty && suffixCount(of: labels) >= labels.count
    }

    /// The registered domain: the public suffix with one more label; `nil` for a suffix or an IP address.
    static func registeredDomain(of host: String) -> String? {
        if HostName.isAddress(host) { return nil }
        let labels = labels(of: host)
        let count = suffixCount(of: labels) + 1
        guard labels.count >= count, labels.allSatisfy({ !$0.isEmpty }) else { return nil }
        return labels.suffix(count).map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
    }

    private static func labels(of host: String) -> [ArraySlice<UInt8>] {
        let labels = Array(host.utf8).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.last?.isEmpty == true ? labels.dropLast() : labels
    }

    /// The number of labels in the public suffix.
    private static func suffixCount(of labels: [ArraySlice<UInt8>]) -> Int {
        table.withUTF8Buffer { bytes in
            var nodes = SuffixNodes(bytes: bytes, range: 0..<bytes.count)
            var count = 1
            for (depth, label) in labels.reversed().enumerated() {
                let (node, hasWildcard) = nodes.find(label)
                if node?.kind == UInt8(ascii: "!") { return depth }
                if hasWildcard || node?.isRule == true { count = depth + 1 }
                guard let node, !node.below.isEmpty else { return count }
                nodes = SuffixNodes(bytes: bytes, range: node.below)
            }
            return count
        }
    }
}

/// Neighboring nodes in the table of public suffixes.
private struct SuffixNodes {
    struct Node {
        var label: Range<Int>
        var kind: UInt8
        /// The nodes below this one.
        var below: Range<Int>

        var isRule: Bool { kind == UInt8(ascii: ",") || kind == UInt8(ascii: "+") }
    }

    let bytes: UnsafeBufferPointer<UInt8>
    let range: Range<Int>

    /// The node with a label, and whether a wildcard node exists.
    func find(_ label: ArraySlice<UInt8>) -> (node: Node?, hasWildcard: Bool) {
        var hasWildcard = false
        var index = range.lowerBound
        while let node = node(at: index) {
            index = node.below.upperBound
            if node.label.count == 1, bytes[node.label.lowerBound] == UInt8(ascii: "*") {
                // It precedes all letters and digits.
                hasWildcard = true
            } else if node.label.count == label.count, bytes[node.label].elementsEqual(label) {
                return (node, hasWildcard)
            }
        }
        return (nil, hasWildcard)
    }

    private func node(at start: Int) -> Node? {
        var end = start
        while end < range.upperBound, !Self.isKind(bytes[end]) { end += 1 }
        guard end < range.upperBound else { return nil }
        let kind = bytes[end]
        var index = end + 1
        guard kind == UInt8(ascii: "+") || kind == UInt8(ascii: "/") else {
            return Node(label: start..<end, kind: kind, below: index..<index)
        }
        var length = 0
        while index < range.upperBound, bytes[index] != UInt8(ascii: ":") {
            length = length * 10 + Int(bytes[index]) - 0x30
            index += 1
        }
        let below = min(index + 1, range.upperBound)
        return Node(label: start..<end, kind: kind, below: below..<min(below + length, range.upperBound))
    }

    /// Whether a byte denotes the kind of a node: `!`, `+`, `,` or `/`.
    private static func isKind(_ byte: UInt8) -> Bool {
        byte == 0x2C || byte == 0x21 || byte == 0x2B || byte == 0x2F
    }
}

extension Origin {
    /// Whether two origins have the same scheme and the same registered domain.
    ///
    /// Each host without a registered domain, such as an IP address, is a separate site.
    func isSameSite(as other: Origin) -> Bool {
        if self == other { return true }
        guard isSecure == other.isSecure else { return false }
        if host == other.host { return true }
        guard let domain = PublicSuffixes.registeredDomain(of: host) else { return false }
        return domain == PublicSuffixes.registeredDomain(of: other.host)
    }
}
