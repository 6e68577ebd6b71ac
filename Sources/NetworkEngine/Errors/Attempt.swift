/// One attempt of a call that did not bring its answer.
public struct Attempt: Sendable, Hashable {
    /// 1 for the first.
    public let number: Int
    /// Method and address as sent, without secrets.
    public let request: String
    public let kind: NetworkErrorKind
    public let statusCode: Int?
    public let transportFailure: TransportFailure?
    /// How long was waited before the next attempt; `nil` when there was none.
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
