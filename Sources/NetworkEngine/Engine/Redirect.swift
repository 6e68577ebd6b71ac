import Foundation

/// Determines where a redirect leads and what it sends there.
///
/// URLSession's redirects are never used: on Linux it sends secrets to other origins, drops bodies and resolves URLs
/// incorrectly.
enum Redirect {
    /// The request after a redirect; `nil` if the response is not a redirect to follow.
    ///
    /// - Parameters:
    ///   - trustedOrigins: origins that receive everything except the credentials that interceptors placed.
    ///   - isRefresh: whether the request refreshes a credential, and must not leave its origin.
    ///   - upgrade: the protocol that the request switches to. Its own schemes are accepted.
    static func next(
        after response: HTTPResponse,
        to request: HTTPRequest,
        policy: RedirectPolicy,
        trustedOrigins: [URL] = [],
        isRefresh: Bool = false,
        upgrade: (any UpgradeOffer)? = nil
    ) throws(NetworkError) -> HTTPRequest? {
        guard HTTPResponse.isRedirect(response.statusCode) else { return nil }
        let locations = response.headers.values(for: "Location").filter { !$0.isEmpty }
        guard let location = locations.first else { return nil }
        func refusal(_ reason: String) -> NetworkError {
            NetworkError(kind: .redirect, reason: reason, request: request, response: response)
        }
        guard locations.allSatisfy({ $0 == location }) else { throw refusal("two different Locations") }
        guard location.utf8.count <= 8192 else { throw refusal("the Location is longer than 8192 bytes") }
        let address = upgrade?.address(location) ?? location
        guard let url = resolve(address, against: request.url) else {
            throw refusal("the Location is not an http or https URL without credentials")
        }
        if request.url.isSecure, !url.isSecure, !policy.allowsInsecureDowngrade {
            throw refusal("the redirect leads from https to http")
        }
        var next = request
        next.url = url
        switchMethod(of: &next, for: response.statusCode)
        if !next.body.isReplayable { throw refusal("the body is a stream that cannot be sent a second time") }
        // The exchange's interceptors may have added credentials, which this URL or a later one can repeat.
        if let sent = response.request.secrets { next.secrets = sent.joined(with: next.secrets) }
        func leave(_ origin: URL, _ next: inout HTTPRequest) throws(NetworkError) {
            if next.url.hasSameOrigin(as: origin) { return }
            if isRefresh { throw refusal("a refresh of credentials follows no redirect to another origin") }
            let isTrusted = trustedOrigins.contains(where: next.url.hasSameOrigin)
            if let fault = CrossOriginFilter(policy: policy, isTrusted: isTrusted).strip(&next) { throw refusal(fault) }
            next.secrets = (next.secrets ?? RequestSecrets()).adding(passedOrigins: [request.url.origin])
        }
        try leave(request.url, &next)
        guard let decision = policy.decision else { return next }
        guard var changed = decision(response, next) else { return nil }
        changed.secrets = (next.secrets ?? RequestSecrets()).joined(with: changed.secrets)
        if let fault = changed.url.addressFault { throw refusal("the changed redirect is not valid: \(fault)") }
        if request.url.isSecure, !changed.url.isSecure, !policy.allowsInsecureDowngrade {
            throw refusal("the changed redirect leads from https to http")
        }
        if !changed.body.isReplayable { throw refusal("the body is a stream that cannot be sent a second time") }
        try leave(next.url, &changed)
        if !changed.url.hasSameOrigin(as: request.url) {
            // The closure has access to the first request. Fields that did not cross the origin before must not cross
            // it now.
            let kept = Set(next.headers)
            let left = [request.headers, response.request.headers].flatMap { $0.filter { !kept.contains($0) } }
            let isTrusted = trustedOrigins.contains(where: changed.url.hasSameOrigin)
            let filter = CrossOriginFilter(policy: policy, isTrusted: isTrusted)
            if let fault = filter.strip(&changed, keepingAllBut: Set(left)) { throw refusal(fault) }
        }
        return changed
    }

    /// 301 and 302 change POST to GET; 303 changes every method except HEAD. 307 and 308 change nothing.
    private static func switchMethod(of request: inout HTTPRequest, for status: Int) {
        let becomesGet =
            switch status {
            case 301, 302: request.method == .post
            case 303: request.method != .head && request.method != .get
            default: false
            }
        guard becomesGet else { return }
        request.method = .get
        request.body = .absent
        request.headers.removeAll { name in
            name.lowercased().hasPrefix("content-") || name.equalsIgnoringASCIICase("Transfer-Encoding")
                || name.equalsIgnoringASCIICase("Expect")
        }
    }

    /// The URL in a `Location`, resolved against its base according to RFC 3986. A missing fragment is inherited.
    private static func resolve(_ location: String, against base: URL) -> URL? {
        guard let url = URL(string: location.escapedReference, relativeTo: base)?.absoluteURL.withoutDotSegments else {
            return nil
        }
        guard url.addressFault == nil else { return nil }
        if url.fragment == nil, let fragment = base.fragment(percentEncoded: true) {
            return URL(string: url.absoluteString + "#" + fragment)
        }
        return url
    }
}

extension URL {
    fileprivate var isSecure: Bool { scheme?.equalsIgnoringASCIICase("https") == true }
}
