public import Foundation

/// The error of a call, with the request, the response, the cause, and all attempts.
///
/// ```swift
/// do {
///     let user: User = try await provider.request(.user(7))
/// } catch where error.kind == .status && error.statusName == .notFound {
///     show("no such user")
/// }
/// ```
/// The description is for logs: it contains neither bodies nor secrets. `response` contains the body.
/// `localizedDescription` is a message for an app's users.
public struct NetworkError:
    LocalizedError, Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    /// The kind of error.
    public typealias Kind = NetworkErrorKind

    /// The kind of error, to switch on.
    public var kind: Kind { facts.values.kind }
    /// A text for developers that identifies the field, part or rule at fault, without bodies and secrets.
    public var reason: String { facts.values.reason }
    /// The failure of the exchange, if the exchange failed.
    public var transportFailure: TransportFailure? { facts.values.transportFailure }
    /// The request as sent, after all interceptors.
    public var request: HTTPRequest? { facts.values.request }
    /// The response with its body.
    public var response: HTTPResponse? { facts.values.response }
    /// The cause of this error. Addresses in the `userInfo` of a `URLError` contain no secrets.
    public var underlying: (any Error)? { facts.values.underlying }
    /// The failed attempts, in order.
    public var attempts: [Attempt] { facts.values.attempts }
    /// The numbers of this error, which its reason omits.
    public var figures: ErrorFigures { facts.values.figures }

    /// How the call decodes bodies; `nil` for an error outside a call.
    var decoding: StandardDecoding? { facts.values.decoding }

    /// Whether the call failed only because its own response is not acceptable.
    package var isVerdict: Bool { facts.values.isVerdict }

    /// One pointer, because typed throws reserve space for an error in the stack frame of each function.
    private let facts: Boxed<Facts>

    struct Facts: Sendable {
        var kind: Kind
        var reason: String
        var transportFailure: TransportFailure?
        var request: HTTPRequest?
        var response: HTTPResponse?
        var underlying: (any Error)?
        var attempts: [Attempt]
        var decoding: StandardDecoding?
        var figures: ErrorFigures
        /// Whether the call has a complete response that its validation rejects.
        var isVerdict = false
    }

    private init(_ facts: Facts) {
        var facts = facts
        facts.request = facts.request ?? facts.response?.request
        facts.response = facts.response?.marked
        facts.underlying = facts.underlying?.withoutSecretAddresses(hiding: facts.request?.secrets)
        self.facts = Boxed(facts)
    }

    /// Creates an error, for example in an interceptor or a mock.
    ///
    /// Without a request, the error has the response's request.
    public init(
        kind: Kind,
        reason: String = "",
        transportFailure: TransportFailure? = nil,
        request: HTTPRequest? = nil,
        response: HTTPResponse? = nil,
        underlying: (any Error)? = nil,
        attempts: [Attempt] = [],
        figures: ErrorFigures = ErrorFigures()
    ) {
        self.init(
            Facts(
                kind: kind, reason: reason, transportFailure: transportFailure, request: request, response: response,
                underlying: underlying, attempts: attempts, figures: figures))
    }

    /// The response status.
    public var statusCode: Int? { response?.statusCode }
    /// The name of the response status.
    public var statusName: StatusName? { statusCode.flatMap(StatusName.init(rawValue:)) }
}

extension NetworkError {
    /// Creates the error of a failed exchange.
    package init(
        _ failure: TransportFailure,
        reason: String,
        request: HTTPRequest? = nil,
        response: HTTPResponse? = nil,
        underlying: (any Error)? = nil,
        figures: ErrorFigures = ErrorFigures()
    ) {
        self.init(
            kind: failure.kind,
            reason: reason,
            transportFailure: failure,
            request: request,
            response: response,
            underlying: underlying,
            figures: figures
        )
    }

    /// Returns the error with values for properties that are not set.
    package func completed(
        request: HTTPRequest? = nil,
        response: HTTPResponse? = nil,
        attempts: [Attempt] = [],
        decoding: StandardDecoding? = nil
    ) -> NetworkError {
        let isComplete = (request == nil || self.request != nil) && (response == nil || self.response != nil)
        if isComplete, attempts.isEmpty, decoding == nil { return self }
        return changing {
            $0.request = $0.request ?? request
            $0.response = $0.response ?? response
            if !attempts.isEmpty { $0.attempts = attempts }
            $0.decoding = decoding ?? $0.decoding
        }
    }

    /// Returns the error with other facts.
    func changing(_ change: (inout Facts) -> Void) -> NetworkError {
        var facts = facts.values
        change(&facts)
        return NetworkError(facts)
    }
}

/// The decoding of a call: the configuration's decoder and the target's key strategy.
package struct StandardDecoding: Sendable {
    let decoder: JSONDecoder
    let keys: JSONDecoder.KeyDecodingStrategy

    init(decoder: JSONDecoder, keys: JSONDecoder.KeyDecodingStrategy) {
        self.decoder = decoder
        self.keys = keys
    }
}

/// One failed attempt of a call.
public struct Attempt: Sendable, Hashable {
    /// The number of the attempt, starting with 1.
    public let number: Int
    /// The method and the address as sent, without secrets.
    public let request: String
    /// The kind of error that ended the attempt.
    public let kind: NetworkErrorKind
    /// The response status; `nil` without a response.
    public let statusCode: Int?
    /// The failure of the exchange; `nil` if the exchange did not fail.
    public let transportFailure: TransportFailure?
    /// The delay before the next attempt; `nil` after the last one.
    public let delay: Duration?

    /// Creates an attempt, for example for a mock.
    public init(
        number: Int,
        request: String,
        kind: NetworkErrorKind,
        statusCode: Int? = nil,
        transportFailure: TransportFailure? = nil,
        delay: Duration? = nil
    ) {
        self.number = number
        self.request = request
        self.kind = kind
        self.statusCode = statusCode
        self.transportFailure = transportFailure
        self.delay = delay
    }
}

extension Attempt: CustomStringConvertible {
    public var description: String {
        let outcome = statusCode.map { "\(kind.rawValue) \($0)" } ?? kind.rawValue
        let wait = delay.map { ", then waited \($0)" } ?? ""
        return "#\(number) \(request): \(outcome)\(wait)"
    }
}
