// Says: type 'any Error' does not conform to protocol 'RetryDoesNotThrow'
import Foundation
import NetworkEngine

struct Retrier: RequestInterceptor {
    func retry(after error: NetworkError, context: RequestContext) async throws -> RetryDecision {
        try await Task.sleep(for: .seconds(1))
        return .retry
    }
}
