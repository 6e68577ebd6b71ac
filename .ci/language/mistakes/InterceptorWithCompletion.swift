// Error: conformance of 'URLRequest' to 'NoSuchHook' is unavailable: This hook would never be called. Declare 'func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest'.
import Foundation
import NetworkEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct Signer: RequestInterceptor {
    func adapt(_ request: URLRequest, completion: @escaping (Result<URLRequest, any Error>) -> Void) {
        completion(.success(request))
    }
}
