// Error: conformance of 'RetryDecision' to 'NoSuchHook' is unavailable: This hook would never be called. Declare 'func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision'.
import Foundation
import NetworkEngine

struct Retrier: RequestInterceptor {
    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest { request }

    func retry(after error: NetworkError) async -> RetryDecision { .retry }
}
