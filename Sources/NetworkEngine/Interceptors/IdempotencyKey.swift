import Foundation

/// Gives requests that must not happen twice a key, by which the server knows the second one.
///
/// ```swift
/// let provider = NetworkProvider<API>(interceptor: IdempotencyKey())
/// ```
/// POST, PATCH and every other method that is not idempotent gets an `Idempotency-Key`, the same for all attempts of a
/// call, unless it has one already; but not one that renews a credential. A key is random to everybody else: one says
/// nothing of the next. The key helps with servers that know it; others ignore it.
public struct IdempotencyKey: RequestInterceptor {
    private let namespace: String?
    /// What the keys are derived with. It makes them different from those of all other instances, and hides the next.
    private let secret: [UInt8]

    /// - Parameter namespace: what the keys begin with; ASCII without quotes and backslashes.
    public init(namespace: String? = nil) {
        self.namespace = namespace
        secret = (0..<32).map { _ in .random(in: .min ... .max) }
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
        request.headers[HTTPRequest.idempotencyKey] = "\"\(key(of: context.requestID))\""
        return request
    }

    /// The same for every attempt of a call.
    private func key(of call: RequestID) -> String {
        let number = withUnsafeBytes(of: call.rawValue.bigEndian) { [UInt8]($0) }
        let digits = SHA256.digest(of: secret + number).prefix(16)
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return namespace.map { "\($0)-\(digits)" } ?? digits
    }
}
