import NetworkEngine

extension TransportFailure {
    /// The failure in one word, as written in recordings.
    var word: String {
        switch self {
        case .dns: "dns"
        case .connect: "connect"
        case .tlsCertificate(let problem): "tlsCertificate.\(problem.rawValue)"
        case .tls: "tls"
        case .timeout(let phase): "timeout.\(phase.rawValue)"
        case .lostBeforeResponse: "lostBeforeResponse"
        case .lostMidBody: "lostMidBody"
        case .protocolViolation: "protocolViolation"
        case .contentCoding: "contentCoding"
        case .requestBody: "requestBody"
        case .limitExceeded: "limitExceeded"
        case .offline: "offline"
        case .unknown: "unknown"
        }
    }

    /// The failure for a word written by this package or a browser; `.unknown` for other words.
    init(word: String) {
        let parts = word.split(separator: ".", maxSplits: 1).map(String.init)
        let detail = parts.count > 1 ? parts[1] : ""
        if parts.first == "tlsCertificate" {
            self = .tlsCertificate(CertificateProblem(rawValue: detail) ?? .unknown)
        } else if parts.first == "timeout" {
            self = .timeout(TimeoutPhase(rawValue: detail) ?? .attempt)
        } else {
            self = Self.words[word] ?? .unknown
        }
    }

    private static let words: [String: TransportFailure] = [
        "dns": .dns, "connect": .connect, "tls": .tls, "lostBeforeResponse": .lostBeforeResponse,
        "lostMidBody": .lostMidBody, "protocolViolation": .protocolViolation, "contentCoding": .contentCoding,
        "requestBody": .requestBody, "limitExceeded": .limitExceeded, "offline": .offline,
        "net::ERR_NAME_NOT_RESOLVED": .dns, "net::ERR_CONNECTION_REFUSED": .connect,
        "net::ERR_ADDRESS_UNREACHABLE": .connect, "net::ERR_CONNECTION_RESET": .lostBeforeResponse,
        "net::ERR_CONNECTION_CLOSED": .lostBeforeResponse, "net::ERR_EMPTY_RESPONSE": .lostBeforeResponse,
        "net::ERR_CONTENT_LENGTH_MISMATCH": .lostMidBody, "net::ERR_INCOMPLETE_CHUNKED_ENCODING": .lostMidBody,
        "net::ERR_TIMED_OUT": .timeout(.attempt), "net::ERR_CONNECTION_TIMED_OUT": .timeout(.connect),
        "net::ERR_INTERNET_DISCONNECTED": .offline, "net::ERR_SSL_PROTOCOL_ERROR": .tls,
        "net::ERR_CERT_AUTHORITY_INVALID": .tlsCertificate(.untrusted),
        "net::ERR_CERT_COMMON_NAME_INVALID": .tlsCertificate(.wrongHost),
        "net::ERR_CERT_DATE_INVALID": .tlsCertificate(.expired),
    ]
}
