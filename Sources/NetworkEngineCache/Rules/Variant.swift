package import NetworkEngine

/// The fields of a request that selected a response (RFC 9111, 4.1), and the identity of the sender.
///
/// `Vary` names the fields. Values are kept as a digest, because they may be secret.
package struct Variant: Hashable, Sendable {
    /// The lowercase names in `Vary`, sorted.
    package let names: [String]
    /// The digest of the normalized values; empty without names.
    package let values: String
    /// The digest of what identifies the sender; empty for a request that says nothing about its sender.
    ///
    /// Only credentials count if the response is public.
    package let identity: String

    package init(names: [String], values: String, identity: String) {
        self.names = names
        self.values = values
        self.identity = identity
    }

    /// The variant of a response; `nil` for `Vary: *`, which no request matches.
    package init?(of headers: HTTPHeaders, to request: HTTPRequest) {
        let names = Set(ListField.members(of: headers.values(for: "Vary")).map { $0.lowercased() }).sorted()
        guard !names.contains("*") else { return nil }
        let isForAll = CacheControl(response: headers).isForAll
        self.init(
            names: names,
            values: Self.digest(of: names, in: request),
            identity: isForAll ? Self.shared(request.sender) : request.sender.whole)
    }

    /// Whether a request selects this variant.
    package func matches(_ request: HTTPRequest) -> Bool {
        (names.isEmpty || values == Self.digest(of: names, in: request))
            && isFor(request)
    }

    /// Whether the response is not that of another sender.
    ///
    /// A response to a request without cookies answers a request with any cookies, and a public one answers all
    /// requests with the same credentials, unless `Vary` names other fields.
    private func isFor(_ request: HTTPRequest) -> Bool {
        let sender = request.sender
        return identity == sender.whole || identity == Self.shared(sender)
            || (request.headers.contains("Cookie") && identity == sender.withoutCookies)
    }

    /// Whether a request has exactly the credentials and cookies that the response is stored for.
    package func hasIdentity(of request: HTTPRequest) -> Bool {
        let sender = request.sender
        return identity == sender.whole || (identity == Self.shared(sender) && sender.whole == sender.credentials)
    }

    /// The identity of a public response.
    private static func shared(_ sender: CacheSender) -> String { "public:" + sender.credentials }

    private static func digest(of names: [String], in request: HTTPRequest) -> String {
        guard !names.isEmpty else { return "" }
        // Each part has its length in front: no value can look like two.
        let text = names.reduce(into: "") { text, name in
            let fields = request.headers.filter { $0.name.equalsIgnoringASCIICase(name) }
            let value = normalized(fields.map { request.valueOfSender($0) }, of: name)
            text += "\(name.utf8.count):\(name)" + (value.map { "\($0.utf8.count):\($0)" } ?? "-")
        }
        return SHA256.digest(of: text.utf8).hexadecimal
    }

    /// A value in the form in which values are compared; `nil` for a missing field.
    ///
    /// Lines are combined, and blanks around commas removed. In lists of languages, codings and character sets, neither
    /// case nor order matters, since their preferences are weights.
    package static func normalized(_ lines: [String], of name: String) -> String? {
        guard !lines.isEmpty else { return nil }
        let members = ListField.members(of: lines)
        guard ["accept-language", "accept-encoding", "accept-charset"].contains(name.lowercased()) else {
            return members.joined(separator: ",")
        }
        return members.map { $0.lowercased().filter { $0 != " " && $0 != "\t" } }.sorted().joined(separator: ",")
    }
}
