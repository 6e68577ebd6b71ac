package import Foundation

/// An address from a server's response, such as a link to the next page.
///
/// Query items with credentials that interceptors added to the original request, and that servers repeat, are removed:
/// interceptors add the current ones to each request.
package struct ServerLink: Sendable {
    package let url: URL
    /// What the address refers to, for errors.
    fileprivate let subject: String
    /// The secret parts of the original request, which the server may repeat in the address.
    private let secrets: RequestSecrets?

    /// - Parameter response: the response that contained the address, if available.
    package init(_ url: URL, to subject: String, in response: HTTPResponse?) {
        secrets = response?.request.secrets
        self.url = secrets?.removingCredentials(from: url) ?? url
        self.subject = subject
    }

    /// Adds the secrets that the address repeats. The others belong only to the original request: keeping those of all
    /// pages would grow without limit.
    fileprivate func mark(_ request: inout HTTPRequest) {
        guard let secrets else { return }
        let address = url.absoluteString
        let items = AddressText(address).query.map { AddressText.pairs(of: $0).map(\.value) } ?? []
        func repeats(_ value: String) -> Bool {
            items.contains(value) || ValueScrubber([value]).finds(in: Data(address.utf8))
        }
        let values = secrets.values.filter(repeats)
        let credentials = secrets.credentials.filter { repeats($0.value) }
        request.secrets = (request.secrets ?? RequestSecrets()).adding(
            headers: secrets.headers, values: values, credentials: credentials)
    }
}

extension RequestSecrets {
    fileprivate func removingCredentials(from url: URL) -> URL {
        if credentials.isEmpty { return url }
        var address = AddressText(url.absoluteString)
        guard let query = address.query else { return url }
        let rest = AddressText.removing(itemsOf: query, where: isCredential)
        if rest == query { return url }
        address.query = rest.isEmpty ? nil : rest
        return URL(string: address.text) ?? url
    }

    /// A short value counts as a credential only where an interceptor placed it, because it occurs elsewhere by chance.
    private func isCredential(_ name: String?, _ value: String) -> Bool {
        let isShort = value.utf8.count < ValueScrubber.minimumLength
        return credentials.contains { $0.value == value && (!isShort || $0.place == .query(name ?? "")) }
    }
}

extension HTTPRequest {
    /// Returns the request for an address from a server's response.
    ///
    /// At another origin it carries only fields that are known to be harmless, because the server chose the address and
    /// not the caller. `RedirectPolicy` relaxes this for redirects only.
    package func following(_ named: ServerLink, by rules: RequestRules) throws(NetworkError) -> HTTPRequest {
        let link = named.url
        var request = self
        request.url = link
        named.mark(&request)
        if link.hasSameOrigin(as: url) { return request }
        request.secrets = (request.secrets ?? RequestSecrets()).adding(passedOrigins: [url.origin])
        func refusal(_ reason: String) -> NetworkError {
            let reason = "\(named.subject) is at another origin: \(reason)"
            return NetworkError(kind: .invalidRequest, reason: reason, request: self)
        }
        guard rules.allowsAbsolutePaths else { throw refusal("the configuration does not allow absolute paths") }
        let isTrusted = rules.trustedOrigins.contains(where: link.hasSameOrigin)
        guard isTrusted || link.origin.isSecure || !url.origin.isSecure else {
            throw refusal("the link leads from https to http")
        }
        guard isTrusted || body.isAbsent else { throw refusal("the body is not sent there") }
        let filter = CrossOriginFilter(policy: .follow, isTrusted: isTrusted)
        if let fault = filter.strip(&request) { throw refusal(fault) }
        return request
    }
}
