/// One failed attempt of a call.
public struct Attempt: Sendable, Hashable {
    /// The number of the attempt, from 1.
    public let number: Int
    /// The method and the address as sent, without secrets.
    public let request: String
    public let kind: NetworkErrorKind
    public let statusCode: Int?
    public let transportFailure: TransportFailure?
    /// The delay before the next attempt; `nil` after the last one.
    public let delay: Duration?

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
