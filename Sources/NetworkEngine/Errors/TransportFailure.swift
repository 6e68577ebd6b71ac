/// Where on the way to the server and back an exchange broke.
public enum TransportFailure: Hashable, Sendable {
    /// The host's name did not resolve.
    case dns
    /// No connection could be made, refused or unreachable; or the server closed it and said that it had not processed
    /// the request.
    case connect
    /// The server's certificate was not accepted.
    case tlsCertificate(CertificateProblem)
    /// The TLS handshake failed for another reason than the certificate.
    case tls
    /// No byte was sent or received for the timeout, or the call's deadline has passed.
    case timeout(TimeoutPhase)
    /// The connection ended before a response began.
    case lostBeforeResponse
    /// The connection ended inside a response's body.
    case lostMidBody
    /// What came back is not HTTP, or not what was asked for.
    case protocolViolation
    /// The body's content coding could not be undone.
    case contentCoding
    /// The request's own body could not be read.
    case requestBody
    /// Something in the response was larger than allowed.
    case limitExceeded
    /// The device has no network.
    case offline
    /// The transport does not say.
    case unknown

    /// What was wrong with a certificate.
    public enum CertificateProblem: String, Hashable, Sendable, CaseIterable {
        case expired, notYetValid, wrongHost, selfSigned, untrusted, pinMismatch, clientCertificateRequired, unknown
    }

    /// What was going on when the time was up.
    public enum TimeoutPhase: String, Hashable, Sendable, CaseIterable {
        /// Waiting for a place among the running requests.
        case queue
        /// Resolving, connecting and shaking hands.
        case connect
        /// Sending the request or waiting for the response to begin.
        case response
        /// Receiving the body.
        case body
        /// An attempt that reached its timeout in a phase that is not known.
        case attempt
        /// The whole call, with its retries and waits.
        case deadline
    }

    /// The kind of error that this failure is.
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
