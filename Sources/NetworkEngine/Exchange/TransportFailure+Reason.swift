extension TransportFailure {
    /// A readable sentence. The platform's own message is added if it cannot contain a URL with secrets.
    package func reason(message: String) -> String {
        let isHarmless =
            !message.isEmpty && message.utf8.count <= 200 && !message.contains("://") && !message.contains("?")
        return isHarmless && message != "(null)" ? "\(sentence) (\(message))" : sentence
    }

    private var sentence: String {
        switch self {
        case .dns: "the host's name did not resolve"
        case .connect: "no connection could be made"
        case .tlsCertificate: "the server's certificate was not accepted"
        case .tls: "the TLS handshake failed"
        case .timeout: "the time was up"
        case .lostBeforeResponse: "the connection ended before a response began"
        case .lostMidBody: "the connection ended inside the response's body"
        case .protocolViolation: "the response is not valid HTTP"
        case .contentCoding: "the body's content coding could not be undone"
        case .requestBody: "the request's body could not be read"
        case .limitExceeded: "the response is larger than allowed"
        case .offline: "there is no network"
        case .unknown: "the exchange failed"
        }
    }
}
