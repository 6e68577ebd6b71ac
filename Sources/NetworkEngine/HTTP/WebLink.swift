public import Foundation

/// A link from a response to another resource, from its `Link` headers (RFC 8288).
///
/// ```swift
/// let last = response.links.first { $0.relations.contains("last") }?.url
/// ```
public struct WebLink: Hashable, Sendable {
    /// The URL of the linked resource, as in the header.
    public let reference: String
    /// The URL of the linked resource, resolved against the response's URL; `nil` if it is not a URL.
    public let url: URL?
    /// The resource that the link belongs to: the response's own, or an `anchor`. `nil` if it is not a URL.
    public let context: URL?
    /// The relations of the linked resource to its context, in lowercase: `next`, `prev`, `last`.
    public let relations: [String]
    /// The other parameters by lowercase name. If several have the same name, the first one counts.
    public let attributes: [String: String]

    init(_ value: LinkParser.Value, of base: URL) {
        var attributes = value.parameters
        reference = value.reference
        url = Self.resolve(value.reference, against: base)
        context = attributes.removeValue(forKey: "anchor").map { Self.resolve($0, against: base) } ?? base
        relations = (attributes.removeValue(forKey: "rel") ?? "").lowercased()
            .split { $0 == " " || $0 == "\t" }.map(String.init)
        self.attributes = attributes
    }

    private static func resolve(_ reference: String, against base: URL) -> URL? {
        // Foundation has no URL for an empty reference, which refers to the base itself.
        if reference.isEmpty { return base }
        return URL(string: reference.escapedReference, relativeTo: base)?.absoluteURL.withoutDotSegments
    }
}

extension WebLink: CustomStringConvertible, CustomReflectable {
    /// The relations and the URL, without query values that may be secret.
    public var description: String {
        "\(relations.joined(separator: " ")): \(Redaction.describe(address: reference))"
    }

    public var customMirror: Mirror { Mirror(self, children: ["link": description], displayStyle: .struct) }
}

extension HTTPResponse {
    /// The links in the `Link` headers, in order.
    ///
    /// Malformed links are skipped. Relative URLs are resolved against the URL of the final request, after redirects.
    public var links: [WebLink] {
        headers.values(for: "Link").flatMap { LinkParser.values(in: $0) }.map { WebLink($0, of: request.url) }
    }
}
