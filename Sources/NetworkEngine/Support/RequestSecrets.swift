/// The parts of a request that are secret despite their names, and the origins that the request has left.
///
/// They accompany the request through interceptors, redirects and transports.
package final class RequestSecrets: Sendable {
    /// A credential that is bound to the origin that the request was made for.
    package struct BoundSecret: Hashable, Sendable {
        package enum Place: Hashable, Sendable {
            case header(String)
            case query(String)
            case body
        }

        package let place: Place
        let value: String

        init(_ value: String, in place: Place) {
            self.value = value
            self.place = place
        }
    }

    /// A stable sender identity for a field with a value that changes between requests.
    package struct Identity: Hashable, Sendable {
        let header: String
        let value: String
        /// The same for all values from this sender.
        let identity: String
        /// The sender's previous identity. The sender may use data stored under it.
        let earlier: String?

        init(header: String, value: String, identity: String, earlier: String? = nil) {
            self.header = header
            self.value = value
            self.identity = identity
            self.earlier = earlier
        }
    }

    /// The names in `NetworkConfiguration.secretNames`, in lowercase.
    let names: Set<String>
    /// The names of headers that interceptors set. There are few names and values, so an array is faster than a set.
    let headers: [String]
    /// The values that interceptors set.
    package let values: [String]
    package let credentials: [BoundSecret]
    let identities: [Identity]
    /// The sender, once the request has reached the cache; otherwise `nil`.
    package let sender: CacheSender?
    /// Whether the request goes to another origin than the call's.
    package let isForeign: Bool
    /// The other origins that led the request to its URL, by redirects or as the link of a page.
    package let passedOrigins: [Origin]

    package init(
        names: Set<String> = [],
        headers: [String] = [],
        values: [String] = [],
        credentials: [BoundSecret] = [],
        identities: [Identity] = [],
        sender: CacheSender? = nil,
        isForeign: Bool = false,
        passedOrigins: [Origin] = []
    ) {
        self.names = names
        self.headers = headers
        self.values = values
        self.credentials = credentials
        self.identities = identities
        self.sender = sender
        self.isForeign = isForeign
        self.passedOrigins = passedOrigins
    }

    /// The secrets for a configuration's names; `nil` without names.
    static func naming(_ names: Set<String>) -> RequestSecrets? {
        names.isEmpty ? nil : RequestSecrets(names: Set(names.map { $0.lowercased() }))
    }

    /// Whether the configuration lists a name as secret.
    package func names(_ name: String) -> Bool { !names.isEmpty && names.contains(name.lowercased()) }

    /// Whether a header's value is redacted.
    package func hides(header name: String) -> Bool {
        names(name) || headers.contains { $0.equalsIgnoringASCIICase(name) }
    }

    /// Whether an interceptor set this value.
    func holds(_ value: String) -> Bool { values.contains(value) }

    /// The text without the values that interceptors set.
    package func scrub(_ text: String) -> String {
        values.isEmpty ? text : ValueScrubber(values).scrub(text)
    }

    /// These secrets with additional ones.
    package func adding(
        headers: [String] = [],
        values: [String] = [],
        credentials: [BoundSecret] = [],
        identities: [Identity] = [],
        sender: CacheSender? = nil,
        isForeign: Bool = false,
        passedOrigins: [Origin] = []
    ) -> RequestSecrets {
        RequestSecrets(
            names: names,
            headers: self.headers.joined(with: headers),
            values: self.values.joined(with: values),
            credentials: self.credentials.joined(with: credentials),
            identities: self.identities.joined(with: identities),
            sender: sender ?? self.sender,
            isForeign: self.isForeign || isForeign,
            passedOrigins: self.passedOrigins.joined(with: passedOrigins)
        )
    }

    /// These secrets combined with those in another version of the request.
    func joined(with other: RequestSecrets?) -> RequestSecrets {
        guard let other, other !== self, !other.isContained(in: self) else { return self }
        if isContained(in: other) { return other }
        let all = adding(
            headers: other.headers, values: other.values, credentials: other.credentials,
            identities: other.identities, sender: other.sender,
            isForeign: other.isForeign, passedOrigins: other.passedOrigins)
        guard !other.names.isSubset(of: names) else { return all }
        return RequestSecrets(
            names: names.union(other.names), headers: all.headers, values: all.values, credentials: all.credentials,
            identities: all.identities, sender: all.sender,
            isForeign: all.isForeign, passedOrigins: all.passedOrigins)
    }

    private func isContained(in other: RequestSecrets) -> Bool {
        names.isSubset(of: other.names) && headers.allSatisfy(other.headers.contains)
            && values.allSatisfy(other.values.contains) && credentials.allSatisfy(other.credentials.contains)
            && identities.allSatisfy(other.identities.contains) && (sender == nil || sender == other.sender)
            && (!isForeign || other.isForeign) && passedOrigins.allSatisfy(other.passedOrigins.contains)
    }
}

extension Array where Element: Equatable {
    fileprivate func joined(with others: Self) -> Self {
        isEmpty ? others : self + others.filter { !contains($0) }
    }
}

/// Digests that identify a request's sender for a cache; empty for a request that does not identify its sender.
package struct CacheSender: Hashable, Sendable {
    /// All fields that are not known to be the same for all senders.
    package let whole: String
    package let withoutCookies: String
    /// The fields that are known to be credentials, without cookies.
    package let credentials: String
    /// The sender's previous identities, if any.
    package var earlier: [CacheSender] = []

    package init(whole: String, withoutCookies: String, credentials: String) {
        self.whole = whole
        self.withoutCookies = withoutCookies
        self.credentials = credentials
    }
}
