import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension NetworkError {
    /// The error for a URLSession code that a retry would only repeat, and that is not a transfer failure.
    ///
    /// Returns `nil` for other codes. Most of these codes occur only on Apple platforms.
    init?(refusal error: URLError) {
        let (kind, reason): (Kind, String)
        switch error.code {
        case .appTransportSecurityRequiresSecureConnection:
            kind = .unsupported
            reason = """
                App Transport Security blocks addresses with http. Use https, or add an exception for the host to \
                NSAppTransportSecurity in the app's Info.plist
                """
        case .badURL:
            (kind, reason) = (.invalidRequest, "the system cannot read the address")
        case .userAuthenticationRequired:
            (kind, reason) = (.authentication, "the resource requires authentication")
        case .userCancelledAuthentication:
            (kind, reason) = (.authentication, "the authentication was canceled")
        case .httpTooManyRedirects:
            (kind, reason) = (.redirect, "the system has followed too many redirects")
        case .redirectToNonExistentLocation:
            (kind, reason) = (.redirect, "a redirect has no address")
        case .resourceUnavailable:
            (kind, reason) = (.transport, "the system could not retrieve the resource")
        case .cannotLoadFromNetwork:
            (kind, reason) = (.transport, "the session may use stored responses only, and has none")
        case .cannotCreateFile, .cannotOpenFile, .cannotCloseFile, .cannotWriteToFile, .cannotRemoveFile,
            .cannotMoveFile:
            (kind, reason) = (.transport, "the body could not be written to its file")
        case .backgroundSessionRequiresSharedContainer:
            (kind, reason) = (.unsupported, "a background session in an extension needs a shared container")
        case .backgroundSessionInUseByAnotherProcess:
            (kind, reason) = (.unsupported, "another process uses the background session with this identifier")
        default: return nil
        }
        self.init(kind: kind, reason: "\(reason) (URLError \(error.errorCode))", underlying: error)
    }
}

extension TransportFailure {
    /// The failure for a URLSession error code; `nil` for a code that is unrelated to the transfer.
    init?(_ code: URLError.Code) {
        switch code {
        case .cannotFindHost, .dnsLookupFailed: self = .dns
        case .cannotConnectToHost: self = .connect
        case .timedOut: self = .timeout(.attempt)
        case .networkConnectionLost, .backgroundSessionWasDisconnected: self = .lostBeforeResponse
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive: self = .offline
        case .secureConnectionFailed: self = .tls
        case .clientCertificateRequired, .clientCertificateRejected: self = .tlsCertificate(.clientCertificateRequired)
        case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot: self = .tlsCertificate(.untrusted)
        case .serverCertificateHasBadDate: self = .tlsCertificate(.expired)
        case .serverCertificateNotYetValid: self = .tlsCertificate(.notYetValid)
        case .badServerResponse, .cannotParseResponse, .unsupportedURL, .zeroByteResource: self = .protocolViolation
        case .cannotDecodeContentData, .cannotDecodeRawData, .downloadDecodingFailedMidStream,
            .downloadDecodingFailedToComplete:
            self = .contentCoding
        case .dataLengthExceedsMaximum: self = .limitExceeded
        // The body is the only file of a request.
        case .requestBodyStreamExhausted, .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile:
            self = .requestBody
        default: return nil
        }
    }
}
