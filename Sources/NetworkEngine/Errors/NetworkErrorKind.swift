/// The kinds of errors, to switch on.
public enum NetworkErrorKind: String, Hashable, Sendable, CaseIterable {
    /// The caller canceled the call. It is never retried, and never logged as a failure.
    case cancelled
    /// The request is invalid and was not sent.
    case invalidRequest
    /// Parameters or a body could not be encoded. The request was not sent.
    case encoding
    /// The device has no network connection.
    case offline
    /// The server was not reached, or the connection was lost.
    case connection
    /// A trusted connection was not possible.
    case tls
    /// No bytes were sent or received within the timeout, or the call's deadline has passed.
    case timeout
    /// The response violates HTTP.
    case protocolViolation
    /// A redirect had no valid target, was forbidden, or exceeded the limit.
    case redirect
    /// A limit was exceeded.
    case limit
    /// The target does not accept the response, because of its status or another property.
    case status
    /// The body could not be decoded.
    case decoding
    /// A value was expected, but the body is empty.
    case emptyBody
    /// The response is not an HTTP response, or violates the protocol above HTTP.
    case invalidResponse
    /// A credential was not available, or its refresh failed.
    case authentication
    /// An interceptor failed. `underlying` contains its error.
    case interceptor
    /// The transport failed. `underlying` contains its error.
    case transport
    /// The operation is not supported.
    case unsupported
}

/// HTTP statuses by name.
public enum StatusName: Int, Sendable, Hashable, CaseIterable {
    /// 400, for a request that the server cannot process because it is malformed.
    case badRequest = 400
    /// 401, for a request without a valid credential.
    case unauthorized = 401
    /// 402, for a request that requires a payment.
    case paymentRequired = 402
    /// 403, for a request that the server refuses, for example because the credential lacks permission.
    case forbidden = 403
    /// 404, for a resource that does not exist, or that the server does not disclose.
    case notFound = 404
    /// 405, for a method that the resource does not support.
    case methodNotAllowed = 405
    /// 406, for a resource without a representation that the request accepts.
    case notAcceptable = 406
    /// 408, for a request that did not arrive in time.
    case requestTimeout = 408
    /// 409, for a request that conflicts with the current state of the resource.
    case conflict = 409
    /// 410, for a resource that was removed permanently.
    case gone = 410
    /// 412, for a condition in the request's header that is not met.
    case preconditionFailed = 412
    /// 413, for a body that is larger than the server accepts.
    case contentTooLarge = 413
    /// 415, for a body in a format that the server does not accept.
    case unsupportedMediaType = 415
    /// 416, for a `Range` that the resource does not have.
    case rangeNotSatisfiable = 416
    /// 422, for a well-formed body with invalid content.
    case unprocessableContent = 422
    /// 425, for a request that may be a replay, because it was sent during the TLS handshake.
    case tooEarly = 425
    /// 426, for a request that must be sent with another protocol.
    case upgradeRequired = 426
    /// 428, for a request that must have a condition, such as `If-Match`.
    case preconditionRequired = 428
    /// 429, for too many requests in a given time.
    case tooManyRequests = 429
    /// 451, for a resource that is withheld for legal reasons.
    case unavailableForLegalReasons = 451
    /// 500, for an unspecific server error.
    case serverError = 500
    /// 501, for a method that the server does not support.
    case notImplemented = 501
    /// 502, for an invalid response that a gateway received from its server.
    case badGateway = 502
    /// 503, for a server that is overloaded or in maintenance.
    case serviceUnavailable = 503
    /// 504, for a gateway that did not receive a response from its server in time.
    case gatewayTimeout = 504
}
