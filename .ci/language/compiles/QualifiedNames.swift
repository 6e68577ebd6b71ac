import Foundation
import HTTPTypes
import NetworkEngine

// The module's names, with only the two modules imported.

struct Passing: RequestInterceptor {
    func intercept(
        _ request: NetworkEngine.HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> NetworkEngine.HTTPResponse {
        try await next(request)
    }
}

func path(of request: HTTPTypes.HTTPRequest, with client: NetworkEngine.HTTPClient) -> String? { request.path }
