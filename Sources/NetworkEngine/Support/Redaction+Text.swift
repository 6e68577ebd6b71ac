package import Foundation

extension Redaction {
    /// The address without credentials, without the fragment, and without what may be secret in its query and path.
    package static func describe(_ url: URL, hiding marks: RequestMarks? = nil) -> String {
        describe(address: url.absoluteString, hiding: marks)
    }

    /// An address or a reference, for people.
    ///
    /// The value of a query item is shown where its name is known to be harmless and the value is short.
    package static func describe(address: String, hiding marks: RequestMarks? = nil) -> String {
        var parts = AddressText(address)
        parts.userinfo = nil
        parts.fragment = nil
        parts.path = describe(path: marks?.scrub(parts.path) ?? parts.path)
        parts.query = parts.query.map { describe(query: $0, hiding: marks) }
        return parts.text
    }

    /// Text in which addresses, tokens and known values may be.
    package static func describe(text: String, hiding marks: RequestMarks? = nil) -> String {
        let text = OpaqueText.hidingWebTokens(in: marks?.scrub(text) ?? text)
        return AddressText.rewriting(addressesIn: text) { describe(address: $0, hiding: marks) }
    }

    /// The value of a header that is not secret as a whole.
    package static func describe(value: String, of header: String, hiding marks: RequestMarks? = nil) -> String {
        let isAddress = ["location", "content-location", "referer", "origin"].contains(header.lowercased())
        return isAddress ? describe(address: value, hiding: marks) : describe(text: value, hiding: marks)
    }

    private static func describe(path: String) -> String {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { segment in
            let text = String(Substring(segment))
            return OpaqueText.isTokenInPath(text) ? placeholder : OpaqueText.hidingWebTokens(in: text)
        }.joined(separator: "/")
    }

    private static func describe(query: String, hiding marks: RequestMarks?) -> String {
        AddressText.rewriting(items: query) { name, value in
            if let name {
                let isShown =
                    isHarmless(parameter: name) && !isSecret(parameter: name) && marks?.names(name) != true
                    && marks?.holds(value) != true && isPlain(value)
                return isShown || value.isEmpty ? nil : placeholder
            }
            return isPlain(value) && value.utf8.count <= 32 && !OpaqueText.isToken(value, minimumLength: 16)
                ? nil : placeholder
        }
    }

    private static func isPlain(_ value: String) -> Bool {
        value.utf8.count <= 64 && !OpaqueText.isToken(value, minimumLength: 32)
            && OpaqueText.hidingWebTokens(in: value) == value
    }
}
