package import Foundation

/// The rules of the configuration for requests of targets and endpoints.
package struct RequestRules: Sendable {
    /// Whether a path can be an absolute URL.
    package var allowsAbsolutePaths: Bool
    /// The origins that get the secret headers of targets and endpoints, besides the origin of the base.
    package var trustedOrigins: [URL]
    /// The marks of every new request.
    package var marks: RequestMarks?

    package init(allowsAbsolutePaths: Bool = true, trustedOrigins: [URL] = [], secretNames: Set<String> = []) {
        self.allowsAbsolutePaths = allowsAbsolutePaths
        self.trustedOrigins = trustedOrigins
        marks = .naming(secretNames)
    }

    /// Returns a request for a base and a path.
    ///
    /// A request to another origin loses the secret headers, which are intended for the base.
    package func request(
        _ method: HTTPMethod,
        base: URL,
        path: String,
        query: String?,
        headers: HTTPHeaders,
        timeout: Duration?
    ) throws(NetworkError) -> HTTPRequest {
        let isAbsolute = AddressParts.isAbsolute(path)
        if isAbsolute, !allowsAbsolutePaths {
            throw .invalid("the path is an absolute URL, and the configuration does not allow absolute paths")
        }
        let url = try URLJoining.join(base: base, path: path, query: query)
        var request = HTTPRequest(method: method, url: url, headers: headers, timeout: timeout)
        if let marks { request.marks = marks }
        if isAbsolute, !url.hasSameOrigin(as: base) { leaveBase(&request) }
        return request
    }

    /// Returns a prepared request with the marks of the configuration and without dot segments in its URL.
    package func marking(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        request.url = request.url.withoutDotSegments
        if let marks, request.marks == nil { request.marks = marks }
        return request
    }

    private func leaveBase(_ request: inout HTTPRequest) {
        let marks = request.marks ?? RequestMarks()
        request.marks = marks.adding(isForeign: true)
        if trustedOrigins.contains(where: request.url.hasSameOrigin) { return }
        request.headers.removeAll { Redaction.isSecret(header: $0) || marks.names($0) }
    }
}
