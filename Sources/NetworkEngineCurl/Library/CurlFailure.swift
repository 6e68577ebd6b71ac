package import NetworkEngine

/// What a code of libcurl means, each of them.
package enum CurlFailure {
    /// The error of an exchange that libcurl ended.
    static func error(code: Int32, message: String, certificate: Int, hasHead: Bool) -> NetworkError {
        let failure = classify(code: code, message: message, certificate: certificate, hasHead: hasHead)
        let reason = failure.reason(message: message)
        return NetworkError(failure, reason: reason, underlying: CurlError(code: code, message: message))
    }

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
        if code == 60 { return .tlsCertificate(problem(certificate, message)) }
        let words = words.first { $0.codes.contains(code) && message.contains($0.part) }
        var failure = words?.failure ?? table[code] ?? .unknown
        // Nothing but the name of the code: no stream was left to wait for after a GOAWAY, in 7.88.
        if code == 16, message == "Error in the HTTP2 framing layer" { failure = .lostBeforeResponse }
        if hasHead, failure == .lostBeforeResponse || failure == .tls || words?.isRefusal == true {
            return .lostMidBody
        }
        return failure
    }

    /// Parts of libcurl's messages that tell apart what shares a code.
    private struct Words {
        let part: String
        let codes: Set<Int32>
        let failure: TransportFailure
        var isRefusal = false
    }

    private static let words = [
        Words(part: "certificate required", codes: [35, 55, 56], failure: .tlsCertificate(.clientCertificateRequired)),
        // The first in older versions, the second in newer ones.
        Words(part: "from proxy after CONNECT", codes: [35, 55, 56], failure: .connect),
        Words(part: "CONNECT tunnel failed", codes: [35, 55, 56], failure: .connect),
        // By HTTP/2 newer versions give a lost connection the code of a broken protocol.
        Words(part: "Send failure", codes: [16], failure: .lostBeforeResponse),
        Words(part: "Recv failure", codes: [16], failure: .lostBeforeResponse),
        Words(part: "chunk", codes: [56], failure: .protocolViolation),
        Words(part: "Too large response headers", codes: [56], failure: .limitExceeded),
        Words(part: "Too many response headers", codes: [56], failure: .limitExceeded),
        // nghttp2 reads no head of more than so many frames, and 7.88 none above 300 KB.
        Words(part: "Too many CONTINUATION frames", codes: [16, 56], failure: .limitExceeded),
        Words(part: "nghttp2_session_mem_recv() returned -902", codes: [56], failure: .limitExceeded),
        // The server says that it has processed nothing: the request can be made again, whatever it asks for.
        Words(part: "REFUSED_STREAM", codes: [16, 42, 55, 56, 92], failure: .connect, isRefusal: true),
        Words(part: "refused by server", codes: [16, 42, 55, 56, 92], failure: .connect, isRefusal: true),
    ]

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
        18: .lostBeforeResponse,
        23: .protocolViolation,
        26: .requestBody,
        // One header above 100 KB: the buffer for it refuses to grow.
        27: .limitExceeded,
        28: .timeout(.connect),
        33: .protocolViolation,
        35: .tls,
        // Our own refusal to send a request twice.
        42: .lostBeforeResponse,
        // A first line that continues none.
        43: .protocolViolation,
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
        // Ending TLS, when a request may have been sent.
        80: .lostBeforeResponse,
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
        // A field or a head that is too large, or has too many fields.
        100: .limitExceeded,
    ]
}
