// Error: conformance of 'HTTPResponse' to 'NoSuchHook' is unavailable: This hook would never be called. Declare 'func intercept(_ request: HTTPRequest, context: RequestContext, next: @escaping Next) async throws -> HTTPResponse'.
import Foundation
import NetworkEngine

struct Stopwatch: RequestInterceptor {
    func intercept(_ request: HTTPRequest, next: @escaping Next) async throws -> HTTPResponse {
        try await next(request)
    }
}
