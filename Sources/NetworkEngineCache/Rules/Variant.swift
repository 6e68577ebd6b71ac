import NetworkEngine

/// The fields of a request that selected a response (RFC 9111, 4.1), and the identity of the sender.
///
/// `Vary` names the fields. Values are kept as a digest, because they may be secret.
struct Variant: Hashable, Sendable {
    /// The lowercase names in `Vary`, sorted.
    let names: [String]
    /// The digest of the normalized values; empty without names.
    let values: String
    /// The digest of what identifies the sender; empty for a request that says nothing about its sender.
    ///
    /// Only credentials count if the response is public.
    let identity: String

    init(names: [String], values: String, identity: String) {
        self.names = names
        self.values = values
        self.identity = identity
    }

    /// The variant of a response; `nil` for `Vary: *`, which no request matches.
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

    /// Whether the variant has the values of all fields that `Vary` names in a later head of its response. `*` has no
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

    /// Whether the response is not that of another sender.
    ///
    /// A response to a request without cookies answers a request with any cookies, unless it is private, and a public
    /// one answers all requests with the same credentials, unless `Vary` names other fields.
    private func isFor(_ request: HTTPRequest, of sender: CacheSender) -> Bool {
        isOwn(of: sender) || identity == Self.shared(sender)
            || (request.headers.contains("Cookie") && identity == sender.withoutCookies)
    }

    private func isOwn(of sender: CacheSender) -> Bool {
        identity == sender.whole || identity == Self.personal(sender)
    }

    /// Whether the response is that to a request of the same sender, or a public one: not one to a request without
    /// cookies, or of the time when something else identified the sender.
    func isOwn(of request: HTTPRequest) -> Bool {
        let sender = request.sender
        return isOwn(of: sender) || identity == Self.shared(sender)
    }

    /// Whether the response was private when it was stored.
    var isPersonal: Bool { identity.hasPrefix(Self.personalMark) }

    /// Whether the cookies of the response are those of a request's sender. Nobody knows that of two requests without
    /// credentials and cookies.
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
        // Each part has its length in front: no value can look like two.
        let text = names.reduce(into: "") { text, name in
            let fields = request.headers.filter { $0.name.equalsIgnoringASCIICase(name) }
            let value = normalized(fields.map { request.valueOfSender($0, isEarlier: isEarlier) }, of: name)
            text += "\(name.utf8.count):\(name)" + (value.map { "\($0.utf8.count):\($0)" } ?? "-")
        }
        return SHA256.digest(of: text.utf8).hexadecimal
    }

    /// A value in the form in which values are compared; `nil` for a missing field.
    ///
    /// Lines are combined, and blanks around commas removed. In lists of languages, codings and character sets, neither
    /// case nor order matters, since their preferences are weights.
    static func normalized(_ lines: [String], of name: String) -> String? {
        guard !lines.isEmpty else { return nil }
        let members = ListField.members(of: lines)
        guard ["accept-language", "accept-encoding", "accept-charset"].contains(name.lowercased()) else {
            return members.joined(separator: ",")
        }
        return members.map { $0.lowercased().filter { $0 != " " && $0 != "\t" } }.sorted().joined(separator: ",")
    }
}
