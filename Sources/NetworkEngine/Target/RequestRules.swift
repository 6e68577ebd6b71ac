package import Foundation

/// The rules of the configuration for the requests of calls.
package struct RequestRules: Sendable {
    /// Whether a path can be an absolute URL.
    var allowsAbsolutePaths: Bool
    /// The origins that get secret headers besides the origin of the base.
    package var trustedOrigins: [URL]
    /// The secrets of every new request, by their names.
    var secrets: RequestSecrets?
    /// Returns the base for a target; `nil` for the target's own.
    private let baseURL: (@Sendable (any TargetType) -> URL)?
    /// The headers of all requests without their own.
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

    /// Returns the base for a call of a target. A call asks once, since the closure can return another URL each time.
    package func base(of target: some TargetType) throws(NetworkError) -> URL {
        guard let baseURL else { return target.baseURL }
        let base = baseURL(target)
        if let fault = base.addressFault { throw .invalid("the configuration's baseURL is not valid: \(fault)") }
        return base
    }

    /// Returns the base for the calls of a target, or the reason why it is not valid.
    func baseResult(of target: any TargetType) -> Result<URL, NetworkError> {
        Result { () throws(NetworkError) in try base(of: target) }
    }

    /// Returns a request for a base and a path.
    ///
    /// A request to another origin loses the secret headers, which are intended for the base.
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

    /// Adds the secret names of the configuration to a prepared request, and removes the dot segments of its URL.
    func mark(_ request: inout HTTPRequest) {
        request.url = request.url.withoutDotSegments
        if let secrets, request.secrets == nil { request.secrets = secrets }
    }

    /// Adds the configuration's headers that the request does not have itself, and returns them.
    ///
    /// A request to another origin than the base gets only fields that are known to be harmless, as after a redirect,
    /// unless the configuration trusts the origin. Without a base it gets all but the secret ones.
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

    /// Whether a header of this name is only for the origin of the base and trusted origins.
    private func isSecret(_ name: String) -> Bool { Redaction.isSecret(header: name) || secrets?.names(name) == true }
}
