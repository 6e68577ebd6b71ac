import Foundation

extension NetworkError {
    /// Compares kind, reason, request, response with its body, attempts, and the type and code of the cause.
    ///
    /// Figures are not compared.
    public static func == (left: NetworkError, right: NetworkError) -> Bool {
        left.kind == right.kind
            && left.reason == right.reason
            && left.transportFailure == right.transportFailure
            && left.attempts == right.attempts
            && left.request.isSame(as: right.request)
            && left.response.isSame(as: right.response)
            && Cause(left.underlying) == Cause(right.underlying)
    }
}

/// The comparable properties of any error.
private struct Cause: Equatable {
    let type: String
    let domain: String
    let code: Int

    init?(_ error: (any Error)?) {
        guard let error else { return nil }
        let bridged = error as NSError
        type = String(reflecting: Swift.type(of: error))
        domain = bridged.domain
        code = bridged.code
    }
}

extension HTTPRequest? {
    fileprivate func isSame(as other: HTTPRequest?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.method == other.method && self.url == other.url && self.headers == other.headers
            && self.timeout == other.timeout && self.body.data == other.body.data
    }
}

extension HTTPResponse? {
    fileprivate func isSame(as other: HTTPResponse?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.statusCode == other.statusCode && self.headers == other.headers
            && self.body.data == other.body.data
    }
}

extension NetworkErrorKind {
    /// Whether an error is of this kind, for patterns.
    ///
    /// ```swift
    /// do {
    ///     user = try await client.request(.get("/users/7"))
    /// } catch .cancelled {
    ///     return
    /// }
    /// ```
    public static func ~= (kind: NetworkErrorKind, error: NetworkError) -> Bool { error.kind == kind }
}
