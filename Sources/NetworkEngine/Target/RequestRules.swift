package import Foundation

/// The configuration's rules for requests.
package struct RequestRules: Sendable {
    /// Whether a path can be an absolute URL.
    var allowsAbsolutePaths: Bool
    /// The origins that receive secret headers, in addition to the base URL's origin.
    package var trustedOrigins: [URL]
    /// The secrets of every new request, by name.
    var secrets: RequestSecrets?
    /// Returns the base URL for a target; `nil` for the target's own.
    private let baseURL: (@Sendable (any TargetType) -> URL)?
    /// The default headers of all requests.
    private let headers: HTTPHeaders
    private let headersFault: String?

    init(
        allowsAbsolutePaths: Bool = true,
        trustedOrigins: [URL] = [],
        secretNames: Set<String> = [],
        baseURL: (@Sendable (any TargetType) -> URL)? = nil,
        headers: HTTPHeaders = [:]
    ) {
        self.allowsAbsolutePaths = allowsAbsolutePaths
        self.trustedOrigins = trustedOrigins
        self.baseURL = baseURL
        self.headers = headers
        headersFault = headers.fault
        secrets = .naming(secretNames)
    }

    /// Returns a target's base URL. Called once per call, because the closure can return a different URL each time.
    package func base(of target: some TargetType) throws(NetworkError) -> URL {
        guard let baseURL else { return target.baseURL }
        let base = baseURL(target)
        if let fault = base.addressFault { throw .invalid("the configuration's baseURL is not valid: \(fault)") }
        return base
    }

    /// Returns a target's base URL, or the reason why it is invalid.
    func baseResult(of target: any TargetType) -> Result<URL, NetworkError> {
        Result { () throws(NetworkError) in try base(of: target) }
    }

    /// Returns a request for a base URL and a path.
    ///
    /// A request to another origin loses the secret headers, which are intended for the base URL.
    func request(
        _ method: HTTPMethod,
        base: URL,
        path: EndpointPath,
        query: String?,
        headers: HTTPHeaders,
        timeout: Duration?
    ) throws(NetworkError) -> HTTPRequest {
        let isAbsolute = AddressParts.isAbsolute(path.text)
        if isAbsolute, !allowsAbsolutePaths {
            throw .invalid("the path is an absolute URL, and the configuration does not allow absolute paths")
        }
        if let fault = path.fault { throw .invalid(fault) }
        let url = try URLJoining.join(base: base, path: path.text, query: query)
        var request = HTTPRequest(method: method, url: url, headers: headers, timeout: timeout)
        if let secrets { request.secrets = secrets }
        if isAbsolute, !url.hasSameOrigin(as: base) { leaveBase(&request) }
        return request
    }

    /// Adds the configuration's secret names to a prepared request, and removes the dot segments from its URL.
    func mark(_ request: inout HTTPRequest) {
        request.url = request.url.withoutDotSegments
        if let secrets, request.secrets == nil { request.secrets = secrets }
    }

    /// Adds the configuration's headers that the request does not set itself, and returns them.
    ///
    /// As after a redirect, a request to another origin than the base URL's receives only fields that are known to be
    /// harmless, unless the configuration trusts the origin. Without a base URL it receives all but the secret ones.
    func addHeaders(
        to request: inout HTTPRequest,
        base: () -> URL?
    ) throws(NetworkError) -> HTTPHeaders {
        if headers.isEmpty { return headers }
        if let headersFault { throw .invalid("the configuration's headers are not valid: \(headersFault)") }
        let url = request.url
        let own = request.headers
        var added = headers
        added.removeAll(where: own.contains)
        if !isTrusted(url) {
            switch base().map(url.hasSameOrigin) {
            case true?: break
            case false?: added.removeAll { !Redaction.isHarmless(header: $0) || secrets?.names($0) == true }
            case nil: added.removeAll(where: isSecret)
            }
        }
        request.headers.merge(added)
        return added
    }

    private func leaveBase(_ request: inout HTTPRequest) {
        request.secrets = (request.secrets ?? RequestSecrets()).adding(isForeign: true)
        if isTrusted(request.url) { return }
        request.headers.removeAll(where: isSecret)
    }

    func isTrusted(_ url: URL) -> Bool { trustedOrigins.contains(where: url.hasSameOrigin) }

    /// Whether a header with this name is only sent to the base URL's origin and trusted origins.
    private func isSecret(_ name: String) -> Bool { Redaction.isSecret(header: name) || secrets?.names(name) == true }
}
