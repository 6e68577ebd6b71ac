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
    public typealias Kind = NetworkErrorKind

    /// What went wrong, to switch on.
    public var kind: Kind { facts.kind }
    /// Names the field, part or rule that was violated: for people, without bodies and secrets.
    public var reason: String { facts.reason }
    /// Where the exchange broke, when it was the exchange.
    public var transportFailure: TransportFailure? { facts.transportFailure }
    /// The request as it was sent, after every interceptor.
    public var request: HTTPRequest? { facts.request }
    /// What came back, with its body.
    public var response: HTTPResponse? { facts.response }
    /// The error that caused this one. Secrets are removed from the addresses in the `userInfo` of a `URLError`.
    public var underlying: (any Error)? { facts.underlying }
    /// Each attempt that failed, in order.
    public var attempts: [Attempt] { facts.attempts }

    /// How the call decodes bodies; `nil` for an error that no call has brought.
    package var decoding: StandardDecoding? { facts.decoding }

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
        let decoding: StandardDecoding?

        init(
            _ kind: Kind,
            _ reason: String,
            _ transportFailure: TransportFailure?,
            _ request: HTTPRequest?,
            _ response: HTTPResponse?,
            _ underlying: (any Error)?,
            _ attempts: [Attempt],
            _ decoding: StandardDecoding?
        ) {
            self.kind = kind
            self.reason = reason
            self.transportFailure = transportFailure
            self.request = request ?? response?.request
            self.response = response?.marked
            self.underlying = underlying?.withoutSecretAddresses(hiding: self.request?.marks)
            self.attempts = attempts
            self.decoding = decoding
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
        facts = Facts(kind, reason, transportFailure, request, response, underlying, attempts, nil)
    }

    private init(
        _ error: NetworkError, request: HTTPRequest?, response: HTTPResponse?, attempts: [Attempt],
        decoding: StandardDecoding?
    ) {
        facts = Facts(
            error.kind,
            error.reason,
            error.transportFailure,
            error.request ?? request,
            error.response ?? response,
            error.underlying,
            attempts.isEmpty ? error.attempts : attempts,
            decoding ?? error.decoding
        )
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

    /// The same error that also knows its request, response and attempts, where it did not before, and how its call decodes.
    package func completed(
        request: HTTPRequest? = nil,
        response: HTTPResponse? = nil,
        attempts: [Attempt] = [],
        decoding: StandardDecoding? = nil
    ) -> NetworkError {
        NetworkError(self, request: request, response: response, attempts: attempts, decoding: decoding)
    }
}
