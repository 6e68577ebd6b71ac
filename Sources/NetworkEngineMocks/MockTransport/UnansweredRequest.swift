public import NetworkEngine

/// A request that no rule of a mock transport answered, and the reasons.
public struct UnansweredRequest: Sendable, CustomStringConvertible {
    /// The request.
    public let request: HTTPRequest
    /// One line for each rule, in order: what did not match, or that its answers are used up.
    public let reasons: [String]

    public var description: String {
        let lines = reasons.isEmpty ? ["there are no rules"] : reasons
        return request.description + lines.map { "\n  " + $0 }.joined()
    }
}
