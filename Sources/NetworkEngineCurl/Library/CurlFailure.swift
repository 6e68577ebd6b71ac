import NetworkEngine

/// Maps libcurl's result codes.
enum CurlFailure {
    /// The error for an exchange that libcurl ended.
    ///
    /// - Parameter reason: the reason, if it is not libcurl's.
    static func error(
        code: Int32,
        message: String,
        certificate: Int,
        reason: String? = nil,
        wasSent: Bool = false,
        hasHead: Bool
    ) -> NetworkError {
        let underlying = CurlError(code: code, message: message)
        // If it is sent repeatedly, a wrong password can lock the account.
        if message.contains("407"), words.contains(where: { $0.isOfProxy && message.contains($0.part) }) {
            let reason = "the proxy requires a credential, or refused the one that it got"
            return NetworkError(kind: .authentication, reason: reason, underlying: underlying)
        }
        let failure = classify(
            code: code, message: message, certificate: certificate, wasSent: wasSent, hasHead: hasHead)
        // Once a request was sent, the reason is the loss of its connection.
        let own = failure == .connect || failure == .dns || failure == .timeout(.connect) ? reason : nil
        return NetworkError(
            failure, reason: own ?? failure.reason(message: message.withoutFigures), underlying: underlying)
    }

    /// Classifies a failure.
    ///
    /// - Parameters:
    ///   - message: libcurl's message, which distinguishes failures with the same code.
    ///   - certificate: the result of OpenSSL's verification.
    ///   - wasSent: whether the request was sent before, on a connection that was lost.
    ///   - hasHead: whether a response had begun.
    static func classify(
        code: Int32,
        message: String = "",
        certificate: Int = 0,
        wasSent: Bool = false,
        hasHead: Bool = false
    ) -> TransportFailure {
        if code == 60 { return .tlsCertificate(problem(certificate, message)) }
        let words = words.first { $0.codes.contains(code) && message.contains($0.part) }
        var failure = words?.failure ?? table[code] ?? .unknown
        // The message is only the code's name: 7.88 reports this when no stream was left to wait for after a GOAWAY.
        if code == 16, message == "Error in the HTTP2 framing layer" { failure = .lostBeforeResponse }
        // libcurl reconnects if the request's connection was lost. The server may have processed the request.
        let isBeforeSending = [.connect, .dns, .tls, .timeout(.connect)].contains(failure)
        if wasSent, isBeforeSending, words?.isRefusal != true { failure = .lostBeforeResponse }
        if hasHead, failure == .lostBeforeResponse || failure == .tls || words?.isRefusal == true {
            return .lostMidBody
        }
        return failure
    }

    /// Parts of libcurl's messages that distinguish failures with the same code.
    private struct Words {
        let part: String
        let codes: Set<Int32>
        let failure: TransportFailure
        var isRefusal = false
        var isOfProxy = false
    }

    /// Part of libcurl's message about a client certificate's key. 8.23 reports it with a general code, 43.
    static let keyFault = "private key"

    private static let words = [
        Words(part: keyFault, codes: [43], failure: .tls),
        Words(part: "certificate required", codes: [35, 55, 56], failure: .tlsCertificate(.clientCertificateRequired)),
        // The first message is from older versions, the second from newer ones.
        Words(part: "from proxy after CONNECT", codes: [35, 55, 56], failure: .connect, isOfProxy: true),
        Words(part: "CONNECT tunnel failed", codes: [35, 55, 56], failure: .connect, isOfProxy: true),
        // With HTTP/2 newer versions report a lost connection as a protocol error.
        Words(part: "Send failure", codes: [16], failure: .lostBeforeResponse),
        Words(part: "Recv failure", codes: [16], failure: .lostBeforeResponse),
        // With HTTP/3 the code applies to the QUIC attempt, and the message to all attempts.
        Words(part: "Could not connect to server", codes: [28, 55, 56], failure: .connect),
        Words(part: "chunk", codes: [56], failure: .protocolViolation),
        Words(part: "Too large response headers", codes: [56], failure: .limitExceeded),
        Words(part: "Too many response headers", codes: [56], failure: .limitExceeded),
        // nghttp2 limits the number of frames in a head, and 7.88 limits a head to 300 KB.
        Words(part: "Too many CONTINUATION frames", codes: [16, 56], failure: .limitExceeded),
        Words(part: "nghttp2_session_mem_recv() returned -902", codes: [56], failure: .limitExceeded),
        // The server reports that it has processed nothing, so the request can be repeated whatever its method.
        Words(part: "REFUSED_STREAM", codes: [16, 42, 55, 56, 92], failure: .connect, isRefusal: true),
        Words(part: "refused by server", codes: [16, 42, 55, 56, 92], failure: .connect, isRefusal: true),
    ]

    /// The numbers are OpenSSL's. Other TLS libraries return 0 or 1, and a message.
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

    /// Codes that an HTTP request can end with. Others belong to other protocols, or to programming errors here.
    private static let table: [Int32: TransportFailure] = [
        // Returned for a response that is not HTTP, or has another version.
        1: .protocolViolation,
        5: .dns,
        6: .dns,
        7: .connect,
        8: .protocolViolation,
        16: .protocolViolation,
        18: .lostBeforeResponse,
        23: .protocolViolation,
        26: .requestBody,
        // A header above 100 KB: the buffer for it does not grow further.
        27: .limitExceeded,
        28: .timeout(.connect),
        33: .protocolViolation,
        35: .tls,
        // A callback refused to send a request twice.
        42: .lostBeforeResponse,
        // A first line that begins with a space.
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
        // The connection was lost, and the body cannot be read again.
        65: .lostBeforeResponse,
        66: .tls,
        77: .tls,
        // The TLS shutdown, when a request may have been sent.
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
        // A field or a head is too large, or has too many fields.
        100: .limitExceeded,
    ]
}
