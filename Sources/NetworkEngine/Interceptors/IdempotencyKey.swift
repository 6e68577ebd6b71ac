import Foundation

/// Adds a key to non-idempotent requests, so that the server recognizes a repeated request.
///
/// ```swift
/// let provider = NetworkProvider<API>(interceptor: IdempotencyKey())
/// ```
/// POST, PATCH and every other non-idempotent method gets an `Idempotency-Key`, unless the request has one. All
/// attempts of a call have the same key. A credential refresh gets no key. Keys are unpredictable. The server must
/// support the header; other servers ignore it.
public struct IdempotencyKey: RequestInterceptor, NonInterceptingInterceptor {
    private let namespace: String?
    /// The secret that keys are derived from. It makes keys unpredictable and different between instances.
    private let secret: [UInt8]

    /// - Parameter namespace: the prefix of the keys; ASCII without quotes and backslashes.
    public init(namespace: String? = nil) {
        self.namespace = namespace
        secret = (0..<32).map { _ in .random(in: .min ... .max) }
    }

    public var mayWait: Bool { false }

    public func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        // A refresh must not be repeated: the first one uses up the refresh token, and a second one would end the
        // session. Nor must an upload step: the next step has the same identifier but different content.
        let isOnce = context.isRefresh || (context.call.options.isStep && request.method == .patch)
        guard !request.method.isIdempotent, !isOnce, !request.headers.contains(HTTPRequest.idempotencyKey) else {
            return request
        }
        var request = request
        // A string as defined by RFC 9651, which the header's draft requires.
        request.headers[HTTPRequest.idempotencyKey] = "\"\(key(of: context.requestID))\""
        return request
    }

    private func key(of call: RequestID) -> String {
        let number = withUnsafeBytes(of: call.rawValue.bigEndian) { [UInt8]($0) }
        let digits = [UInt8](SHA256.digest(of: secret + number).prefix(16)).hexadecimal
        return namespace.map { "\($0)-\(digits)" } ?? digits
    }
}
