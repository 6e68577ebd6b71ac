// Says: type 'Request' does not conform to protocol 'NoSuchHook'
import Foundation
import NetworkEngine

final class Session: Sendable {}
final class Request: Sendable {}
enum RetryResult { case retry, doNotRetry }

final class Retrier: RequestInterceptor {
    func retry(
        _ request: Request, for session: Session, dueTo error: any Error, completion: @escaping (RetryResult) -> Void
    ) {
        completion(.retry)
    }
}
