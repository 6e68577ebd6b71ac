package import Foundation

/// The address of a page that a server named in its response to the previous page.
package struct PageLink: Sendable {
    package let url: URL
    /// The secret parts of the request for the previous page, which the server may repeat in the address.
    private let secrets: RequestSecrets?

    package init(_ url: URL, in response: HTTPResponse) {
        self.url = url
        secrets = response.request.secrets
    }

    /// Adds the secrets that the address repeats. The others belong to the previous page alone: those of all pages
    /// would grow without a limit.
    func mark(_ request: inout HTTPRequest) {
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

extension HTTPRequest {
    /// Returns the request for a page that a server named.
    ///
    /// At another origin it carries only what a redirect would carry there: the server chose the address, not the
    /// caller.
    package func following(_ page: PageLink, by rules: RequestRules) throws(NetworkError) -> HTTPRequest {
        let link = page.url
        var request = self
        request.url = link
        page.mark(&request)
        if link.hasSameOrigin(as: url) { return request }
        request.secrets = (request.secrets ?? RequestSecrets()).adding(passedOrigins: [url.origin])
        func refusal(_ reason: String) -> NetworkError {
            NetworkError(kind: .invalidRequest, reason: "the next page is at another origin: \(reason)", request: self)
        }
        guard rules.allowsAbsolutePaths else { throw refusal("the configuration does not allow absolute paths") }
        let isTrusted = rules.trustedOrigins.contains(where: link.hasSameOrigin)
        guard isTrusted || link.origin.isSecure || !url.origin.isSecure else {
            throw refusal("the link leads from https to http")
        }
        guard isTrusted || body.isNone else { throw refusal("the body is not sent there") }
        let filter = CrossOriginFilter(policy: .follow, isTrusted: isTrusted)
        if let fault = filter.strip(&request) { throw refusal(fault) }
        return request
    }
}
