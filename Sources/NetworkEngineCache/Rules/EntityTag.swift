import NetworkEngine

/// A validator for identical or equivalent response content (RFC 9110, 8.8.3).
struct EntityTag: Hashable, Sendable {
    /// The opaque text, without quotation marks.
    let text: String
    let isWeak: Bool

    /// Parses `"abc"` and `W/"abc"`. An unquoted tag, which some servers send, is parsed as a weak one.
    init?(_ field: String) {
        guard !field.isEmpty, field.isFieldValue else { return nil }
        let isMarked = field.hasPrefix("W/") || field.hasPrefix("w/")
        let quoted = isMarked ? String(field.dropFirst(2)) : field
        if quoted.utf8.count >= 2, quoted.hasPrefix("\""), quoted.hasSuffix("\"") {
            text = String(quoted.dropFirst().dropLast())
            isWeak = isMarked
        } else {
            text = quoted
            isWeak = true
        }
    }

    /// Whether both identify the same bytes: neither is weak.
    func stronglyMatches(_ other: EntityTag) -> Bool { self == other && !isWeak }

    func weaklyMatches(_ other: EntityTag) -> Bool { text == other.text }
}

extension HTTPHeaders {
    var entityTag: EntityTag? { values(for: "ETag").first.flatMap(EntityTag.init) }

    /// Whether these fields and another response's describe the same content.
    ///
    /// Compares the fields present in both: entity tags weakly, otherwise `Last-Modified`.
    func describesSameContent(as other: HTTPHeaders) -> Bool {
        if let tag = entityTag, let otherTag = other.entityTag { return tag.weaklyMatches(otherTag) }
        if let modified = self["Last-Modified"], let other = other["Last-Modified"] { return modified == other }
        return true
    }

    /// Whether `If-None-Match` contains a tag, or is `*`.
    func excludes(_ tag: EntityTag?) -> Bool {
        let members = ListField.members(of: values(for: "If-None-Match"))
        if members == ["*"] { return true }
        guard let tag else { return false }
        return members.compactMap(EntityTag.init).contains { $0.weaklyMatches(tag) }
    }
}
