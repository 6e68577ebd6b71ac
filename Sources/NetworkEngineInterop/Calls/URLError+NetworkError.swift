public import Foundation
public import NetworkEngine

extension URLError {
    /// The error of the client that made the call; `nil` for any other error.
    ///
    /// ```swift
    /// catch let error as URLError where error.networkError?.endsSession == true { signIn() }
    /// ```
    public var networkError: NetworkError? { (self as NSError).userInfo[NSUnderlyingErrorKey] as? NetworkError }

    /// Creates the error that `URLSession` throws for a failure. The failure is its underlying error.
    ///
    /// - Parameter url: the URL as the guest sees it. Its possibly secret parts are omitted.
    init(_ error: NetworkError, at url: URL?) {
        var info: [String: Any] = [
            NSUnderlyingErrorKey: error, NSLocalizedDescriptionKey: error.localizedDescription,
        ]
        if let url {
            let text = Redaction.describe(url).replacing(
                Redaction.placeholder, with: Redaction.placeholderInAddress)
            info[NSURLErrorFailingURLErrorKey] = URL(string: text)
        }
        self.init(error.urlErrorCode, userInfo: info)
    }
}

extension NetworkError {
    /// The code that `URLSession` uses for this error.
    fileprivate var urlErrorCode: URLError.Code {
        // A refresh that failed because of the network does not end the session.
        if let cause = networkCause { return cause.urlErrorCode }
        if kind == .cancelled { return .cancelled }
        if underlying is CacheMiss { return .resourceUnavailable }
        if transportFailure == .requestBody, let code = (underlying as? POSIXError)?.code.urlErrorCode { return code }
        // On Linux the platform reports almost every failure as unknown, identified only by its message.
        if let code = (underlying as? URLError)?.code, code != .unknown, code != .cancelled { return code }
        return transportFailure?.urlErrorCode ?? kind.urlErrorCode
    }
}

extension POSIXErrorCode {
    /// The code for a file body; `nil` for any other error.
    fileprivate var urlErrorCode: URLError.Code? {
        switch self {
        case .ENOENT: .fileDoesNotExist
        case .EISDIR: .fileIsDirectory
        case .EACCES, .EPERM: .noPermissionsToReadFile
        default: nil
        }
    }
}

extension TransportFailure {
    fileprivate var urlErrorCode: URLError.Code {
        switch self {
        case .dns: .cannotFindHost
        case .connect: .cannotConnectToHost
        case .tlsCertificate(let problem): problem.urlErrorCode
        case .tls: .secureConnectionFailed
        case .timeout: .timedOut
        case .lostBeforeResponse, .lostMidBody: .networkConnectionLost
        case .protocolViolation: .badServerResponse
        case .contentCoding: .cannotDecodeContentData
        case .requestBody: .requestBodyStreamExhausted
        case .limitExceeded: .dataLengthExceedsMaximum
        case .offline: .notConnectedToInternet
        case .unknown: .unknown
        }
    }
}

extension TransportFailure.CertificateProblem {
    fileprivate var urlErrorCode: URLError.Code {
        switch self {
        case .expired: .serverCertificateHasBadDate
        case .notYetValid: .serverCertificateNotYetValid
        case .selfSigned: .serverCertificateHasUnknownRoot
        case .wrongHost, .untrusted, .pinMismatch: .serverCertificateUntrusted
        case .clientCertificateRequired: .clientCertificateRequired
        case .unknown: .secureConnectionFailed
        }
    }
}

extension NetworkErrorKind {
    fileprivate var urlErrorCode: URLError.Code {
        switch self {
        case .cancelled: .cancelled
        case .invalidRequest, .encoding: .badURL
        case .offline: .notConnectedToInternet
        case .connection: .networkConnectionLost
        case .tls: .secureConnectionFailed
        case .timeout: .timedOut
        case .protocolViolation, .status, .invalidResponse: .badServerResponse
        case .redirect: .httpTooManyRedirects
        case .limit: .dataLengthExceedsMaximum
        case .decoding: .cannotDecodeContentData
        case .emptyBody: .zeroByteResource
        case .authentication: .userAuthenticationRequired
        case .unsupported: .unsupportedURL
        case .interceptor, .transport: .unknown
        }
    }
}
