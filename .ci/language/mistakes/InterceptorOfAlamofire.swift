// Error: conformance of 'URLRequest' to 'NoSuchHook' is unavailable: This hook would never be called. Declare 'func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest'.
import Foundation
import NetworkEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

final class Session: Sendable {}

final class Signer: RequestInterceptor {
    func adapt(
        _ urlRequest: URLRequest, for session: Session, completion: @escaping (Result<URLRequest, any Error>) -> Void
    ) {
        completion(.success(urlRequest))
    }
}
