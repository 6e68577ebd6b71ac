#if canImport(FoundationNetworking)
import FoundationNetworking
package import Foundation
#else
package import Foundation
#endif

extension NetworkError {
    /// The error of a call whose caller gave up.
    package static func cancelled(_ request: HTTPRequest?) -> NetworkError {
        NetworkError(kind: .cancelled, request: request)
    }

    /// The error that a transport threw: its own kind when it has one, else what its code says, else `.transport`.
    package static func transport(_ error: any Error, request: HTTPRequest) -> NetworkError {
        switch error {
        case let error as NetworkError:
            return error.request == nil ? error.completed(request: request) : error
        case is CancellationError:
            return .cancelled(request)
        case let error as URLError:
            guard let failure = TransportFailure(error.code) else { fallthrough }
            let reason = "URLError \(error.errorCode)"
            return NetworkError(failure, reason: reason, request: request, underlying: error)
        default:
            return NetworkError(
                kind: .transport,
                reason: "the transport threw \(type(of: error))",
                request: request,
                underlying: error
            )
        }
    }
}

extension TransportFailure {
    /// What a code of URLSession means by itself, on a platform that uses them as documented.
    package init?(_ code: URLError.Code) {
        switch code {
        case .cannotFindHost, .dnsLookupFailed: self = .dns
        case .cannotConnectToHost: self = .connect
        case .timedOut: self = .timeout(.attempt)
        case .networkConnectionLost: self = .lostBeforeResponse
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive: self = .offline
        case .secureConnectionFailed, .clientCertificateRejected: self = .tls
        case .clientCertificateRequired: self = .tlsCertificate(.clientCertificateRequired)
        case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot: self = .tlsCertificate(.untrusted)
        case .serverCertificateHasBadDate: self = .tlsCertificate(.expired)
        case .serverCertificateNotYetValid: self = .tlsCertificate(.notYetValid)
        case .badServerResponse, .cannotParseResponse, .zeroByteResource: self = .protocolViolation
        case .cannotDecodeContentData, .cannotDecodeRawData: self = .contentCoding
        case .dataLengthExceedsMaximum: self = .limitExceeded
        case .requestBodyStreamExhausted: self = .requestBody
        default: return nil
        }
    }
}
