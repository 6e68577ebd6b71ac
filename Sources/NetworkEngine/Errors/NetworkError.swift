/// The one error of this framework: what went wrong, what had been sent, what came back, and every attempt made.
///
/// ```swift
/// do {
///     let user: User = try await provider.request(.user(7))
/// } catch where error.kind == .status && error.statusName == .notFound {
///     show("no such user")
/// }
/// ```
/// Its description is for a log: it has neither bodies nor secrets. The body is in `response`.
public struct NetworkError: Error, Sendable {
    /// What went wrong, to switch on.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
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
        /// The time of an attempt or of the whole call was up.
        case timeout
        /// What came back is not HTTP, or breaks its rules.
        case protocolViolation
        /// A redirect led nowhere, in a circle, too far or where it may not.
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

    public var kind: Kind { facts.kind }
    /// Names the field, part or rule that was violated: for people, without bodies and secrets.
    public var reason: String { facts.reason }
    /// Where the exchange broke, when it was the exchange.
    public var transportFailure: TransportFailure? { facts.transportFailure }
    /// The request as it was sent, after every interceptor.
    public var request: HTTPRequest? { facts.request }
    /// What came back, with its body.
    public var response: HTTPResponse? { facts.response }
    public var underlying: (any Error)? { facts.underlying }
    /// Each attempt that failed, in order.
    public var attempts: [Attempt] { facts.attempts }

    /// Behind one pointer, because typed throws reserve room for an error in the frame of every function it passes.
    private let facts: Facts

    private final class Facts: Sendable {
        let kind: Kind
        let reason: String
        let transportFailure: TransportFailure?
        let request: HTTPRequest?
        let response: HTTPResponse?
        let underlying: (any Error)?
        let attempts: [Attempt]

        init(
            _ kind: Kind,
            _ reason: String,
            _ transportFailure: TransportFailure?,
            _ request: HTTPRequest?,
            _ response: HTTPResponse?,
            _ underlying: (any Error)?,
            _ attempts: [Attempt]
        ) {
            self.kind = kind
            self.reason = reason
            self.transportFailure = transportFailure
            self.request = request ?? response?.request
            self.response = response
            self.underlying = underlying
            self.attempts = attempts
        }
    }

    public init(
        kind: Kind,
        reason: String = "",
        transportFailure: TransportFailure? = nil,
        request: HTTPRequest? = nil,
        response: HTTPResponse? = nil,
        underlying: (any Error)? = nil,
        attempts: [Attempt] = []
    ) {
        facts = Facts(kind, reason, transportFailure, request, response, underlying, attempts)
    }

    /// The status of the response, when there was one.
    public var statusCode: Int? { response?.statusCode }
    /// The name of the response's status, when it has one.
    public var statusName: StatusName? { statusCode.flatMap(StatusName.init(rawValue:)) }
}

extension NetworkError {
    /// The failure of an exchange, with the kind that goes with it.
    package init(
        _ failure: TransportFailure,
        reason: String,
        request: HTTPRequest? = nil,
        response: HTTPResponse? = nil,
        underlying: (any Error)? = nil
    ) {
        self.init(
            kind: failure.kind,
            reason: reason,
            transportFailure: failure,
            request: request,
            response: response,
            underlying: underlying
        )
    }

    /// The same error that also knows its request, response and attempts, where it did not before.
    package func completed(
        request: HTTPRequest? = nil,
        response: HTTPResponse? = nil,
        attempts: [Attempt] = []
    ) -> NetworkError {
        NetworkError(
            kind: kind,
            reason: reason,
            transportFailure: transportFailure,
            request: self.request ?? request,
            response: self.response ?? response,
            underlying: underlying,
            attempts: attempts.isEmpty ? self.attempts : attempts
        )
    }
}
