package import NetworkEngine

/// What a code of libcurl means, each of them.
package enum CurlFailure {
    /// Where an exchange broke.
    ///
    /// - Parameters:
    ///   - message: libcurl's own words, which tell apart what shares a code.
    ///   - certificate: the result of OpenSSL's verification.
    ///   - hasHead: whether a response had begun.
    package static func classify(
        code: Int32,
        message: String = "",
        certificate: Int = 0,
        hasHead: Bool = false
    ) -> TransportFailure {
        switch code {
        case 35, 55, 56:
            if message.contains("certificate required") { return .tlsCertificate(.clientCertificateRequired) }
            // The first in older versions, the second in newer ones.
            if message.contains("from proxy after CONNECT") || message.contains("CONNECT tunnel failed") {
                return .connect
            }
            if code == 56, message.contains("chunk") { return .protocolViolation }
        case 60: return .tlsCertificate(problem(certificate, message))
        default: break
        }
        let failure = table[code] ?? .unknown
        return failure == .lostBeforeResponse && hasHead ? .lostMidBody : failure
    }

    /// The numbers are OpenSSL's; other TLS libraries say 0 or 1, and words.
    private static func problem(_ certificate: Int, _ message: String) -> TransportFailure.CertificateProblem {
        switch certificate {
        case 9: return .notYetValid
        case 10: return .expired
        case 18, 19: return .selfSigned
        case 2, 20, 21, 27: return .untrusted
        case 62, 64: return .wrongHost
        default: break
        }
        let isAboutName = ["subject name", "host name", "does not match"].contains { message.contains($0) }
        return isAboutName ? .wrongHost : .unknown
    }

    /// Codes that a request over HTTP can end with; the others belong to other protocols, or to our own mistakes.
    private static let table: [Int32: TransportFailure] = [
        // Says so for a response that is not HTTP, or of another version.
        1: .protocolViolation,
        5: .dns,
        6: .dns,
        7: .connect,
        8: .protocolViolation,
        16: .protocolViolation,
        18: .lostMidBody,
        23: .protocolViolation,
        26: .requestBody,
        28: .timeout(.connect),
        33: .protocolViolation,
        35: .tls,
        // Our own refusal to send a request twice.
        42: .lostBeforeResponse,
        45: .connect,
        52: .lostBeforeResponse,
        53: .tls,
        54: .tls,
        55: .lostBeforeResponse,
        56: .lostBeforeResponse,
        58: .tls,
        59: .tls,
        61: .contentCoding,
        63: .limitExceeded,
        64: .tls,
        // The connection was lost, and the body cannot be read a second time.
        65: .lostBeforeResponse,
        66: .tls,
        77: .tls,
        80: .tls,
        82: .tls,
        83: .tlsCertificate(.untrusted),
        89: .connect,
        90: .tlsCertificate(.pinMismatch),
        91: .tlsCertificate(.unknown),
        92: .lostBeforeResponse,
        95: .lostBeforeResponse,
        96: .connect,
        97: .connect,
        98: .tlsCertificate(.clientCertificateRequired),
    ]
}
