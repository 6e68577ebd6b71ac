import Foundation
import NetworkEngine
import TestSupport

/// A target with its transport, so that one shared provider can send all targets.
struct ParityTarget: ProviderRequestable {
    var baseURL: URL
    var path = "/users/7"
    var method = HTTPMethod.get
    var headers = HTTPHeaders()
    var wire: any Transport
    var task = NetworkTask.requestPlain

    static let provider = NetworkProvider<ParityTarget>(interceptor: Router())

    /// Sends each target over its transport.
    private struct Router: RequestInterceptor {
        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: @escaping Next
        ) async throws -> HTTPResponse {
            guard let target = context.target as? ParityTarget else { return try await next(request) }
            return try await target.wire.send(request, context: TransportContext())
        }
    }
}
