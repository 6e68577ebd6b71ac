import Foundation

/// Adds a key to requests that are not idempotent, so that the server recognizes a repeated request.
///
/// ```swift
/// let provider = NetworkProvider<API>(interceptor: IdempotencyKey())
/// ```
/// POST, PATCH and every other method that is not idempotent gets an `Idempotency-Key`, unless the request has one. All
/// attempts of a call have the same key. A request that refreshes a credential gets no key. Keys are unpredictable. A
/// server must support the header; other servers ignore it.
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
        // A refresh is not repeated: the first one uses up the refresh token, and a second one ends the session.
        // Nor is a step of an upload: the next one has the same identifier and other content.
        let isOnce = context.isRefresh || (context.call.options.isStep && request.method == .patch)
        guard !request.method.isIdempotent, !isOnce, !request.headers.contains(HTTPRequest.idempotencyKey) else {
            return request
        }
        var request = request
        // A string of RFC 9651, as the draft of the header requires.
        request.headers[HTTPRequest.idempotencyKey] = "\"\(key(of: context.requestID))\""
        return request
    }

    private func key(of call: RequestID) -> String {
        let number = withUnsafeBytes(of: call.rawValue.bigEndian) { [UInt8]($0) }
        let digits = [UInt8](SHA256.digest(of: secret + number).prefix(16)).hexadecimal
        return namespace.map { "\($0)-\(digits)" } ?? digits
    }
}
