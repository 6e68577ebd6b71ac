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
    /// No byte was sent or received for the timeout, or the call's deadline has passed.
    case timeout
    /// The response violates HTTP.
    case protocolViolation
    /// A redirect had no valid target, was forbidden, or exceeded the limit.
    case redirect
    /// A limit was exceeded.
    case limit
    /// The target does not accept the response's status or another of its properties.
    case status
    /// The body could not be decoded.
    case decoding
    /// A value was expected, and the body is empty.
    case emptyBody
    /// The response is not an HTTP response, or violates the protocol above HTTP.
    case invalidResponse
    /// A credential was not available, or its refresh failed.
    case authentication
    /// An interceptor failed. `underlying` is its error.
    case interceptor
    /// The transport failed. `underlying` is its error.
    case transport
    /// The operation is not supported.
    case unsupported
}

/// The statuses with a name.
public enum StatusName: Int, Sendable, Hashable, CaseIterable {
    case badRequest = 400
    case unauthorized = 401
    case paymentRequired = 402
    case forbidden = 403
    case notFound = 404
    case methodNotAllowed = 405
    case notAcceptable = 406
    case requestTimeout = 408
    case conflict = 409
    case gone = 410
    case preconditionFailed = 412
    case contentTooLarge = 413
    case unsupportedMediaType = 415
    case rangeNotSatisfiable = 416
    case unprocessableContent = 422
    case tooEarly = 425
    case upgradeRequired = 426
    case preconditionRequired = 428
    case tooManyRequests = 429
    case unavailableForLegalReasons = 451
    /// The unspecific error of a server, 500.
    case serverError = 500
    case notImplemented = 501
    case badGateway = 502
    case serviceUnavailable = 503
    case gatewayTimeout = 504
}
