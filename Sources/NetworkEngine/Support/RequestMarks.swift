/// The parts of a request that are secret despite their names, and whether the request has left its origin or site.
///
/// The marks travel with the request through interceptors, redirects and transports.
package final class RequestMarks: Sendable {
    /// A credential that is bound to the origin that the request was made for.
    package struct BoundSecret: Hashable, Sendable {
        package enum Place: Hashable, Sendable {
            case header(String)
            case query(String)
            case body
        }

        package let place: Place
        package let value: String

        package init(_ value: String, in place: Place) {
            self.value = value
            self.place = place
        }
    }

    /// The names in `NetworkConfiguration.secretNames`, in lowercase.
    package let names: Set<String>
    /// The names of headers that interceptors set. There are few, and as few values: an array is faster than a set.
    package let headers: [String]
    /// The values that interceptors set.
    package let values: [String]
    package let credentials: [BoundSecret]
    /// Whether the request goes to another origin than the call's.
    package let isForeign: Bool
    /// Whether redirects have led the request to another site at least once.
    package let isCrossSite: Bool

    package init(
        names: Set<String> = [],
        headers: [String] = [],
        values: [String] = [],
        credentials: [BoundSecret] = [],
        isForeign: Bool = false,
        isCrossSite: Bool = false
    ) {
        self.names = names
        self.headers = headers
        self.values = values
        self.credentials = credentials
        self.isForeign = isForeign
        self.isCrossSite = isCrossSite
    }

    /// Marks for the names of a configuration; `nil` for none.
    package static func naming(_ names: Set<String>) -> RequestMarks? {
        names.isEmpty ? nil : RequestMarks(names: Set(names.map { $0.lowercased() }))
    }

    /// Whether the configuration calls a name secret.
    package func names(_ name: String) -> Bool { !names.isEmpty && names.contains(name.lowercased()) }

    /// Whether the value of a header is hidden.
    package func hides(header name: String) -> Bool {
        names(name) || headers.contains { $0.equalsIgnoringASCIICase(name) }
    }

    /// Whether an interceptor set this value.
    package func holds(_ value: String) -> Bool { values.contains(value) }

    /// The text without the values that interceptors set.
    package func scrub(_ text: String) -> String {
        values.isEmpty ? text : ValueScrubber(values).scrub(text)
    }

    /// These marks with additional ones.
    package func adding(
        headers: [String] = [],
        values: [String] = [],
        credentials: [BoundSecret] = [],
        isForeign: Bool = false,
        isCrossSite: Bool = false
    ) -> RequestMarks {
        RequestMarks(
            names: names,
            headers: self.headers.joined(with: headers),
            values: self.values.joined(with: values),
            credentials: self.credentials.joined(with: credentials),
            isForeign: self.isForeign || isForeign,
            isCrossSite: self.isCrossSite || isCrossSite
        )
    }

    /// These marks combined with those of another version of the request.
    package func joined(with other: RequestMarks?) -> RequestMarks {
        guard let other, other !== self, !other.isContained(in: self) else { return self }
        if isContained(in: other) { return other }
        let all = adding(
            headers: other.headers, values: other.values, credentials: other.credentials,
            isForeign: other.isForeign, isCrossSite: other.isCrossSite)
        guard !other.names.isSubset(of: names) else { return all }
        return RequestMarks(
            names: names.union(other.names), headers: all.headers, values: all.values, credentials: all.credentials,
            isForeign: all.isForeign, isCrossSite: all.isCrossSite)
    }

    private func isContained(in other: RequestMarks) -> Bool {
        names.isSubset(of: other.names) && headers.allSatisfy(other.headers.contains)
            && values.allSatisfy(other.values.contains) && credentials.allSatisfy(other.credentials.contains)
            && (!isForeign || other.isForeign) && (!isCrossSite || other.isCrossSite)
    }
}

extension [String] {
    fileprivate func joined(with others: [String]) -> [String] {
        isEmpty ? others : self + others.filter { !contains($0) }
    }
}

extension [RequestMarks.BoundSecret] {
    fileprivate func joined(with others: Self) -> Self {
        isEmpty ? others : self + others.filter { !contains($0) }
    }
}
