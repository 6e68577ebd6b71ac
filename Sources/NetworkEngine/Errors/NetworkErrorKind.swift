/// What went wrong, to switch on.
public enum NetworkErrorKind: String, Hashable, Sendable, CaseIterable {
    /// The caller gave up. Never retried, never a failure worth logging.
    case cancelled
    /// The request is not one that may be sent; nothing was.
    case invalidRequest
    /// Parameters or a body could not be encoded; nothing was sent.
    case encoding
    /// There is no network.
    case offline
    /// The server could not be reached, or the connection was lost.
    case connection
    /// No trusted connection could be made.
    case tls
    /// No byte was sent or received for the timeout, or the deadline of the whole call has passed.
    case timeout
    /// What came back is not HTTP, or breaks its rules.
    case protocolViolation
    /// A redirect led nowhere, too far or where it may not.
    case redirect
    /// Something was larger or more than allowed.
    case limit
    /// The response's status, or another of its properties, is not what the target accepts.
    case status
    /// The body is not what was expected of it.
    case decoding
    /// A value was expected and the body has no bytes.
    case emptyBody
    /// What came back is not an HTTP response, or lacks what the protocol above it demands.
    case invalidResponse
    /// A credential could not be had or renewed.
    case authentication
    /// An interceptor failed with an error of its own, which is `underlying`.
    case interceptor
    /// The transport failed with an error of its own, which is `underlying`.
    case transport
    /// What was asked for cannot be done here.
    case unsupported
}
