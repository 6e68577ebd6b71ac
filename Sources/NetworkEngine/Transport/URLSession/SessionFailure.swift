import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Maps URLSession errors.
///
/// On Linux almost every failure is `URLError.unknown`, and only libcurl's message distinguishes them. The message is
/// checked first, then the code, then whether a response had started.
package enum SessionFailure {
    static func classify(code: URLError.Code, message: String, hasHead: Bool) -> TransportFailure {
        if let known = words.first(where: { message.contains($0.part) }) {
            return known.failure.happening(afterHead: hasHead)
        }
        let failure: TransportFailure? =
            switch code {
            // The system canceled the task: cancellations by the framework never reach this code.
            case .cancelled: .lostBeforeResponse
            // On Linux: the connection ended without a response.
            case .badServerResponse: .lostBeforeResponse
            default: TransportFailure(code)
            }
        if let failure { return failure.happening(afterHead: hasHead) }
        return hasHead ? .lostMidBody : .unknown
    }

    /// The error of an exchange ended by the session.
    package static func error(_ error: (any Error)?, hasHead: Bool) -> NetworkError {
        if let refusal = (error as? URLError).flatMap(NetworkError.init(refusal:)) { return refusal }
        let code = (error as? URLError)?.code ?? .unknown
        let message = (error as? URLError)?.localizedDescription ?? ""
        let failure = classify(code: code, message: message, hasHead: hasHead)
        return NetworkError(failure, reason: failure.reason(message: message), underlying: error)
    }

    /// Parts of libcurl's messages, more specific ones first.
    private static let words: [(part: String, failure: TransportFailure)] = [
        ("certificate has expired", .tlsCertificate(.expired)),
        ("certificate is not yet valid", .tlsCertificate(.notYetValid)),
        ("self-signed certificate", .tlsCertificate(.selfSigned)),
        ("self signed certificate", .tlsCertificate(.selfSigned)),
        ("no alternative certificate subject name", .tlsCertificate(.wrongHost)),
        ("does not match target host name", .tlsCertificate(.wrongHost)),
        ("unable to get local issuer certificate", .tlsCertificate(.untrusted)),
        ("SSL certificate problem", .tlsCertificate(.unknown)),
        ("certificate required", .tlsCertificate(.clientCertificateRequired)),
        // In OpenSSL's reads and writes after the client's side of the handshake, a request may have arrived. With TLS
        // 1.3, alerts about the client's certificate also arrive then, in response to the handshake.
        ("alert bad certificate", .tls),
        ("alert unknown ca", .tls),
        ("alert certificate", .tls),
        ("alert access denied", .tls),
        ("alert handshake failure", .tls),
        ("alert no application protocol", .tls),
        ("SSL_read", .lostBeforeResponse),
        ("SSL_write", .lostBeforeResponse),
        ("recv error", .lostBeforeResponse),
        ("send error", .lostBeforeResponse),
        ("Error while processing content unencoding", .contentCoding),
        ("Unrecognized content encoding", .contentCoding),
        ("Failed writing received data", .contentCoding),
        ("Failed writing header", .protocolViolation),
        ("Too large response headers", .limitExceeded),
        ("Too many response headers", .limitExceeded),
        // A header above 100 KB: its buffer does not grow further.
        ("Out of memory", .limitExceeded),
        // A first line that starts with a blank.
        ("A libcurl function was given a bad argument", .protocolViolation),
        ("transfer closed with", .lostBeforeResponse),
        ("Transfer completed, but there's no response", .lostMidBody),
        ("Illegal or missing hexadecimal", .protocolViolation),
        ("Malformed encoding found in chunked", .protocolViolation),
        ("Too long hexadecimal number", .protocolViolation),
        ("Invalid Content-Length", .protocolViolation),
        ("Weird server reply", .protocolViolation),
        ("Received HTTP/0.9 when not allowed", .protocolViolation),
        ("Unsupported HTTP", .protocolViolation),
        ("Header without colon", .protocolViolation),
        ("Nul byte in header", .protocolViolation),
        ("Could not resolve", .dns),
        ("SSL_connect", .tls),
        ("SSL routines", .tls),
        ("SSL ", .tls),
        ("TLS ", .tls),
        ("Failed to connect", .connect),
        ("Couldn't connect", .connect),
        ("Connection died", .lostBeforeResponse),
        ("Recv failure", .lostBeforeResponse),
        ("Send failure", .lostBeforeResponse),
        ("Empty reply", .lostBeforeResponse),
        ("was not closed cleanly", .lostBeforeResponse),
    ]
}

extension TransportFailure {
    /// The failure after a response had started: a lost connection or broken TLS then counts as lost during the body.
    fileprivate func happening(afterHead hasHead: Bool) -> TransportFailure {
        switch self {
        case .lostBeforeResponse, .tls, .dns, .connect: hasHead ? .lostMidBody : self
        default: self
        }
    }
}
