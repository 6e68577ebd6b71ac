import Foundation
import NetworkEngine

/// Sends every request to another server than the one it was meant for, as a staging build does.
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
