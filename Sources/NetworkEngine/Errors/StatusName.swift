/// The statuses that have a name; the others keep their number.
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
    /// 500, what servers say when they do not say what went wrong.
    case serverError = 500
    case notImplemented = 501
    case badGateway = 502
    case serviceUnavailable = 503
    case gatewayTimeout = 504
}
