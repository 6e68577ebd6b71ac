public import Foundation
public import NetworkEngine

/// Removes a guest's `Authorization` at origins that use the client's credential.
///
/// ```swift
/// let client = HTTPClient(
///     baseURL: api, interceptors: [OwnedOrigins([api])] + .recommended(credential: refresher))
/// ```
/// Without it, a request that has an `Authorization` keeps it. List it before the credential.
public struct OwnedOrigins: RequestInterceptor {
    private let origins: [URL]

    /// Creates an interceptor for the origins of the given URLs.
    public init(_ origins: [URL]) { self.origins = origins }

    public func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        let isSetByHand = context.withoutCommonHeaders(request).headers.contains("Authorization")
        guard isSetByHand, origins.contains(where: request.url.hasSameOrigin) else { return request }
        var request = request
        request.headers["Authorization"] = nil
        return request
    }
}
