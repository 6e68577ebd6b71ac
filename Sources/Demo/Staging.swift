import Foundation
import NetworkEngine

/// Redirects every request to a staging server.
struct Staging: RequestInterceptor {
    let server: URL

    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        var request = request
        guard var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true) else { return request }
        (parts.scheme, parts.host, parts.port) = (server.scheme, server.host, server.port)
        request.url = parts.url ?? request.url
        return request
    }
}
