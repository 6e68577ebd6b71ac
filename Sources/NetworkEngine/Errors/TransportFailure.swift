/// The failure of an exchange with a server.
public enum TransportFailure: Hashable, Sendable {
    /// The host name did not resolve.
    case dns
    /// The server was unreachable, refused the connection, or closed it without processing the request.
    case connect
    /// The server's certificate was not accepted.
    case tlsCertificate(CertificateProblem)
    /// The TLS handshake failed, but not because of the certificate.
    case tls
    /// No bytes were sent or received within the timeout, or the call's deadline has passed.
    case timeout(TimeoutPhase)
    /// The connection ended before the response.
    case lostBeforeResponse
    /// The connection ended in the middle of the response body.
    case lostMidBody
    /// The response is not HTTP, or does not match the request.
    case protocolViolation
    /// The body's content coding could not be decoded.
    case contentCoding
    /// The request body could not be read.
    case requestBody
    /// A part of the response exceeded a limit.
    case limitExceeded
    /// The device has no network connection.
    case offline
    /// The transport does not report the reason.
    case unknown

    /// The problem with a certificate.
    public enum CertificateProblem: String, Hashable, Sendable, CaseIterable {
        /// The certificate has expired.
        case expired
        /// The certificate is not valid yet.
        case notYetValid
        /// The certificate is not valid for the requested host.
        case wrongHost
        /// The certificate, or the last one in its chain, is self-signed and not trusted.
        case selfSigned
        /// The certificate was not signed by a trusted CA.
        case untrusted
        /// The certificate does not match any of the host's pins.
        case pinMismatch
        /// The server requires a client certificate, or rejected the one that it received.
        case clientCertificateRequired
        /// The transport does not report the problem.
        case unknown
    }

    /// The phase of the exchange when the time ran out.
    public enum TimeoutPhase: String, Hashable, Sendable, CaseIterable {
        /// Waiting for admission.
        case queue
        /// Name lookup, connecting and the TLS handshake.
        case connect
        /// Sending the request, or waiting for the response.
        case response
        /// Receiving the body.
        case body
        /// An unknown phase of an attempt.
        case attempt
        /// The whole call, including retries and waits.
        case deadline
    }

    /// The error kind for this failure.
    public var kind: NetworkErrorKind {
        switch self {
        case .dns, .connect, .lostBeforeResponse, .lostMidBody, .unknown: .connection
        case .tlsCertificate, .tls: .tls
        case .timeout: .timeout
        case .protocolViolation, .contentCoding: .protocolViolation
        case .requestBody: .invalidRequest
        case .limitExceeded: .limit
        case .offline: .offline
        }
    }
}
