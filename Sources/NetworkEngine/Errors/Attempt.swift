/// One failed attempt of a call.
public struct Attempt: Sendable, Hashable {
    /// The number of the attempt, from 1.
    public let number: Int
    /// The method and the address as sent, without secrets.
    public let request: String
    /// The kind of error that ended the attempt.
    public let kind: NetworkErrorKind
    /// The status of the response; `nil` if there was none.
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
