import NetworkEngine

/// The request fields that selected a response (RFC 9111, 4.1), and the sender's identity.
///
/// `Vary` lists the fields. Values are kept as a digest, because they may be secret.
struct Variant: Hashable, Sendable {
    /// The lowercase names in `Vary`, sorted.
    let names: [String]
    /// The digest of the normalized values; empty without names.
    let values: String
    /// The digest of the sender's identity; empty for a request that doesn't identify its sender.
    ///
    /// Only credentials count if the response is public.
    let identity: String

    init(names: [String], values: String, identity: String) {
        self.names = names
        self.values = values
        self.identity = identity
    }

    /// A response's variant; `nil` for `Vary: *`, which no request matches.
    init?(of headers: HTTPHeaders, to request: HTTPRequest) {
        let names = Self.names(in: headers).sorted()
        guard !names.contains("*") else { return nil }
        let (directives, sender) = (CacheControl(response: headers), request.sender)
        self.init(
            names: names,
            values: Self.digest(of: names, in: request),
            identity: directives.isForAll
                ? Self.shared(sender) : directives.isPrivate ? Self.personal(sender) : sender.whole)
    }

    /// The lowercase names in `Vary`.
    private static func names(in headers: HTTPHeaders) -> Set<String> {
        Set(ListField.members(of: headers.values(for: "Vary")).map { $0.lowercased() })
    }

    /// Whether the variant has values for all fields that `Vary` lists in a later head of its response. `*` has no
    /// value.
    func covers(_ headers: HTTPHeaders) -> Bool { Self.names(in: headers).isSubset(of: names) }

    /// Whether a request selects this variant.
    func matches(_ request: HTTPRequest) -> Bool {
        let sender = request.sender
        return matches(request, of: sender) || sender.earlier.contains { matches(request, of: $0, isEarlier: true) }
    }

    private func matches(_ request: HTTPRequest, of sender: CacheSender, isEarlier: Bool = false) -> Bool {
        (names.isEmpty || values == Self.digest(of: names, in: request, isEarlier: isEarlier))
            && isFor(request, of: sender)
    }

    /// Whether the response does not belong to another sender.
    ///
    /// A response to a request without cookies answers a request with any cookies, unless it is private. A public one
    /// answers all requests with the same credentials, unless `Vary` specifies other fields.
    private func isFor(_ request: HTTPRequest, of sender: CacheSender) -> Bool {
        isOwn(of: sender) || identity == Self.shared(sender)
            || (request.headers.contains("Cookie") && identity == sender.withoutCookies)
    }

    private func isOwn(of sender: CacheSender) -> Bool {
        identity == sender.whole || identity == Self.personal(sender)
    }

    /// Whether the response is public, or was stored for the same sender. A response to a request without cookies is
    /// not, nor is one from before the sender's identity was determined differently.
    func isOwn(of request: HTTPRequest) -> Bool {
        let sender = request.sender
        return isOwn(of: sender) || identity == Self.shared(sender)
    }

    /// Whether the response was private when it was stored.
    var isPersonal: Bool { identity.hasPrefix(Self.personalMark) }

    /// Whether the response's cookies belong to the request's sender. This is unknown for requests without credentials
    /// and cookies.
    func hasCookies(of request: HTTPRequest) -> Bool {
        !request.sender.whole.isEmpty && hasIdentity(of: request)
    }

    /// Whether a request has exactly the credentials and cookies that the response is stored for.
    func hasIdentity(of request: HTTPRequest) -> Bool {
        let sender = request.sender
        return isOwn(of: sender) || (identity == Self.shared(sender) && sender.whole == sender.credentials)
    }

    /// The identity of a public response.
    private static func shared(_ sender: CacheSender) -> String { "public:" + sender.credentials }

    /// The identity of a private response.
    private static func personal(_ sender: CacheSender) -> String { personalMark + sender.whole }

    private static let personalMark = "private:"

    private static func digest(of names: [String], in request: HTTPRequest, isEarlier: Bool = false) -> String {
        guard !names.isEmpty else { return "" }
        // Each part is prefixed with its length, so that no value can look like two.
        let text = names.reduce(into: "") { text, name in
            let fields = request.headers.filter { $0.name.equalsIgnoringASCIICase(name) }
            let value = normalized(fields.map { request.valueOfSender($0, isEarlier: isEarlier) }, of: name)
            text += "\(name.utf8.count):\(name)" + (value.map { "\($0.utf8.count):\($0)" } ?? "-")
        }
        return SHA256.digest(of: text.utf8).hexadecimal
    }

    /// A value in normalized form for comparison; `nil` for a missing field.
    ///
    /// Lines are combined, and white space around commas is removed. In lists of languages, codings and character sets,
    /// case and order are ignored, because weights express preference.
    static func normalized(_ lines: [String], of name: String) -> String? {
        guard !lines.isEmpty else { return nil }
        let members = ListField.members(of: lines)
        guard ["accept-language", "accept-encoding", "accept-charset"].contains(name.lowercased()) else {
            return members.joined(separator: ",")
        }
        return members.map { $0.lowercased().filter { $0 != " " && $0 != "\t" } }.sorted().joined(separator: ",")
    }
}
