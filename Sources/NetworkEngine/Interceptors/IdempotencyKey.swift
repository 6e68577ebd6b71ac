import Foundation

/// Gives requests that must not happen twice a key, by which the server knows the second one.
///
/// ```swift
/// let provider = NetworkProvider<API>(interceptor: IdempotencyKey())
/// ```
/// POST, PATCH and every other method that is not idempotent gets an `Idempotency-Key`, the same for all attempts of a
/// call, unless it has one already; but not one that renews a credential. The key helps with servers that know it; others ignore it.
public struct IdempotencyKey: RequestInterceptor {
    /// What makes the keys of this process different from those of all others.
    private let namespace: String

    /// - Parameter namespace: ASCII without quotes and backslashes; random unless given.
    public init(namespace: String? = nil) {
        self.namespace = namespace ?? UUID().uuidString.lowercased()
    }

    public var mayWait: Bool { false }

    public func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        // A renewal is not repeated: the refresh token is used up by the first, and a second one ends the session.
        guard !request.method.isIdempotent, !context.isRefresh, !request.headers.contains(HTTPRequest.idempotencyKey)
        else {
            return request
        }
        var request = request
        // A string of RFC 9651, as the draft of the header wants it.
        request.headers[HTTPRequest.idempotencyKey] = "\"\(namespace)-\(context.requestID.rawValue)\""
        return request
    }
}
