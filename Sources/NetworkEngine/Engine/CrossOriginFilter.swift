import Foundation

/// Decides what a redirect may send to another origin.
///
/// Sends only header fields that are known to be harmless, because a list of secret names is never complete.
struct CrossOriginFilter {
    let policy: RedirectPolicy
    /// Whether the configuration trusts the other origin.
    let isTrusted: Bool

    /// Removes the parts of a request that must not be sent to another origin. The request already has its new URL.
    ///
    /// - Parameter left: fields that must not cross, if the others were added for the other origin; `nil` if none were.
    /// - Returns: the reason why the request must not be sent at all; `nil` if it may.
    func strip(_ request: inout HTTPRequest, keepingAllBut left: Set<HTTPHeaders.Field>? = nil) -> String? {
        let secrets = request.secrets ?? RequestSecrets()
        let credentials = CredentialSearch(secrets.credentials)
        if !request.body.isAbsent {
            guard isTrusted || policy.allowsBodyToOtherOrigins else {
                return "the redirect would send the body to another origin; "
                    + "RedirectPolicy.allowsBodyToOtherOrigins allows that"
            }
            if credentials.areIn(request.body) {
                return "the body contains a credential, which is not sent to another origin"
            }
        }
        guard let url = credentials.removed(from: request.url) else {
            return "the address contains a credential, which is not sent to another origin"
        }
        request.url = url
        let hasBody = !request.body.isAbsent
        let fields = request.headers.filter { field in
            let isAllowed = left.map { !$0.contains(field) } ?? mayCross(field.name, hasBody, secrets)
            return isAllowed && !credentials.areIn(field)
        }
        request.headers = HTTPHeaders(fields)
        request.secrets = secrets.adding(isForeign: true)
        return nil
    }

    private func mayCross(_ name: String, _ hasBody: Bool, _ secrets: RequestSecrets) -> Bool {
        let name = name.lowercased()
        // These two fields identify the original origin.
        if name == "host" || name == "origin" || secrets.names.contains(name) { return false }
        if isTrusted || policy.headersToOtherOrigins.contains(where: { $0.equalsIgnoringASCIICase(name) }) {
            return true
        }
        return Redaction.isHarmless(header: name) && (hasBody || !Redaction.isAboutBody(header: name))
    }
}

/// Finds the original origin's credentials in the parts of a request.
private struct CredentialSearch {
    private let credentials: [RequestSecrets.BoundSecret]
    private let values: ValueScrubber

    init(_ credentials: [RequestSecrets.BoundSecret]) {
        self.credentials = credentials
        values = ValueScrubber(credentials.map(\.value))
    }

    func areIn(_ field: HTTPHeaders.Field) -> Bool {
        if credentials.isEmpty { return false }
        let isPlace = credentials.contains { credential in
            if case .header(let name) = credential.place { name.equalsIgnoringASCIICase(field.name) } else { false }
        }
        return isPlace || values.finds(in: Data(field.value.utf8))
    }

    func areIn(_ body: RequestBody) -> Bool {
        if credentials.contains(where: { $0.place == .body }) { return true }
        return body.data.map { values.finds(in: $0) } ?? false
    }

    /// The URL without query items that are credentials, because servers repeat a request's query in their `Location`.
    ///
    /// - Returns: `nil` if a credential is in another part of the URL.
    func removed(from url: URL) -> URL? {
        if credentials.isEmpty { return url }
        var parts = AddressText(url.absoluteString)
        parts.query = parts.query.map { query in
            AddressText.removing(itemsOf: query) { _, value in credentials.contains { $0.value == value } }
        }
        if parts.query?.isEmpty == true { parts.query = nil }
        let text = parts.text
        return values.finds(in: Data(text.utf8)) ? nil : URL(string: text)
    }
}
