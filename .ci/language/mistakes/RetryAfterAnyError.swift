// Error: conformance of 'RetryDecision' to 'NoSuchHook' is unavailable: This hook would never be called. Declare 'func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision'.
import Foundation
import NetworkEngine

struct Retrier: RequestInterceptor {
    func retry(after error: any Error, context: RequestContext) async -> RetryDecision { .retry }
}
