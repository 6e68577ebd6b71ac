public import Foundation

/// A link of a response to another resource, from its `Link` headers (RFC 8288).
///
/// ```swift
/// let last = response.links.first { $0.relations.contains("last") }?.url
/// ```
public struct WebLink: Hashable, Sendable {
    /// The address of the linked resource, as it is in the header.
    public let reference: String
    /// The address of the linked resource, resolved against that of the response; `nil` if it is not a URL.
    public let url: URL?
    /// The resource that the link belongs to: the response's own, or that of an `anchor`. `nil` if it is not a URL.
    public let context: URL?
    /// The relations of the linked resource to its context, in lowercase: `next`, `prev`, `last`.
    public let relations: [String]
    /// The other parameters by their names in lowercase. Of several with one name, the first counts.
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
        // Foundation has no URL for an empty reference, which names the base itself.
        if reference.isEmpty { return base }
        return URL(string: reference.escapedReference, relativeTo: base)?.absoluteURL.withoutDotSegments
    }
}

extension WebLink: CustomStringConvertible, CustomReflectable {
    /// The relations and the address, without the values of query items that may be secret.
    public var description: String {
        "\(relations.joined(separator: " ")): \(Redaction.describe(address: reference))"
    }

    public var customMirror: Mirror { Mirror(self, children: ["link": description], displayStyle: .struct) }
}

extension HTTPResponse {
    /// The links in the `Link` headers, in their order.
    ///
    /// Malformed links are skipped. Relative addresses are resolved against the address of the request that was
    /// answered, after redirects.
    public var links: [WebLink] {
        headers.values(for: "Link").flatMap { LinkParser.values(in: $0) }.map { WebLink($0, of: request.url) }
    }
}
