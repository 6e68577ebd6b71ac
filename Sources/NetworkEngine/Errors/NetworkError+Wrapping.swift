#if canImport(FoundationNetworking)
import FoundationNetworking
package import Foundation
#else
package import Foundation
#endif

extension NetworkError {
    /// The error of a canceled call.
    package static func cancelled(_ request: HTTPRequest?) -> NetworkError {
        NetworkError(kind: .cancelled, request: request)
    }

    /// Wraps an error that code outside of the engine has thrown.
    ///
    /// - Parameter other: the error for one that is no `NetworkError` and no cancellation.
    package static func wrapping(
        _ error: any Error,
        request: HTTPRequest? = nil,
        response: HTTPResponse? = nil,
        as other: @autoclosure () -> NetworkError
    ) -> NetworkError {
        switch error {
        case let error as NetworkError: error.completed(request: request, response: response)
        case is CancellationError: .cancelled(request ?? response?.request)
        default: other()
        }
    }

    /// Wraps an error of a transport. An unknown error has the kind `.transport`.
    package static func transport(_ error: any Error, request: HTTPRequest) -> NetworkError {
        if let error = error as? URLError, let failure = TransportFailure(error.code) {
            return NetworkError(
                failure, reason: "URLError \(error.errorCode)", request: request, underlying: error)
        }
        return wrapping(
            error,
            request: request,
            as: NetworkError(
                kind: .transport,
                reason: "the transport threw \(type(of: error))",
                request: request,
                underlying: error
            )
        )
    }
}

extension TransportFailure {
    /// The failure of an error code of URLSession; `nil` for a code that says nothing about the transfer.
    package init?(_ code: URLError.Code) {
        switch code {
        case .cannotFindHost, .dnsLookupFailed: self = .dns
        case .cannotConnectToHost: self = .connect
        case .timedOut: self = .timeout(.attempt)
        case .networkConnectionLost: self = .lostBeforeResponse
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive: self = .offline
        case .secureConnectionFailed: self = .tls
        case .clientCertificateRequired, .clientCertificateRejected: self = .tlsCertificate(.clientCertificateRequired)
        case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot: self = .tlsCertificate(.untrusted)
        case .serverCertificateHasBadDate: self = .tlsCertificate(.expired)
        case .serverCertificateNotYetValid: self = .tlsCertificate(.notYetValid)
        case .badServerResponse, .cannotParseResponse, .unsupportedURL, .zeroByteResource: self = .protocolViolation
        case .cannotDecodeContentData, .cannotDecodeRawData: self = .contentCoding
        case .dataLengthExceedsMaximum: self = .limitExceeded
        case .requestBodyStreamExhausted: self = .requestBody
        default: return nil
        }
    }
}

extension NetworkError {
    /// The error of a call that exceeded its deadline.
    ///
    /// - Parameter isQueued: whether the request was waiting for admission, so that the error is not the host's fault.
    package static func deadlinePassed(_ request: HTTPRequest? = nil, isQueued: Bool = false) -> NetworkError {
        let cause = isQueued ? NetworkError(.timeout(.queue), reason: "the request was waiting to be sent") : nil
        return NetworkError(
            .timeout(.deadline), reason: "the call's deadline has passed", request: request, underlying: cause)
    }

    /// Whether the time ran out before the request was sent.
    package var isTimeoutInQueue: Bool {
        transportFailure == .timeout(.queue) || (underlying as? NetworkError)?.transportFailure == .timeout(.queue)
    }

    /// The error of an exchange without a byte in either direction for the timeout.
    package static func timedOut(
        after timeout: Duration,
        during phase: TransportFailure.TimeoutPhase = .attempt,
        _ request: HTTPRequest? = nil,
        underlying: (any Error)? = nil
    ) -> NetworkError {
        NetworkError(
            .timeout(phase),
            reason: "no byte was sent or received for \(timeout), during the phase \(phase.rawValue)",
            request: request,
            underlying: underlying
        )
    }
}

extension Error {
    /// The error without secrets in the addresses of its `userInfo`.
    ///
    /// A `URLError` contains and prints the whole address. Its type, domain and code stay.
    func withoutSecretAddresses(hiding secrets: RequestSecrets?) -> any Error {
        if let error = self as? URLError {
            let info = (error as NSError).userInfo
            return info.isEmpty ? error : URLError(error.code, userInfo: info.withoutSecretAddresses(hiding: secrets))
        }
        guard type(of: self) == NSError.self else { return self }
        let error = self as NSError
        return error.userInfo.isEmpty
            ? error
            : NSError(
                domain: error.domain, code: error.code, userInfo: error.userInfo.withoutSecretAddresses(hiding: secrets)
            )
    }
}

extension [String: Any] {
    fileprivate func withoutSecretAddresses(hiding secrets: RequestSecrets?) -> [String: Any] {
        mapValues { value in
            switch value {
            case let url as URL where url.isFileURL: url
            case let url as URL: URL(string: url.shown(hiding: secrets)) as Any? ?? Redaction.placeholder
            case let text as String: Redaction.describe(text: text, hiding: secrets)
            case let error as any Error: error.withoutSecretAddresses(hiding: secrets)
            case let errors as [any Error]: errors.map { $0.withoutSecretAddresses(hiding: secrets) }
            default: value
            }
        }
    }
}

extension URL {
    /// The address for display, with placeholders that are legal in an address.
    fileprivate func shown(hiding secrets: RequestSecrets?) -> String {
        Redaction.describe(self, hiding: secrets)
            .replacing(Redaction.placeholder, with: Redaction.placeholderInAddress)
    }
}
