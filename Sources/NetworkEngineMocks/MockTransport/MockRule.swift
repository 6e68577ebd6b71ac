public import NetworkEngine

/// A rule of a mock transport: the requests it matches, and its answers.
public struct MockRule: Sendable, CustomStringConvertible {
    let number: Int
    let script: Locked<MockScript>

    /// Adds answers to use in order.
    @discardableResult
    public func answers(_ answers: MockAnswer...) -> MockRule { self.answers(answers) }

    /// Adds answers to use in order.
    @discardableResult
    public func answers(_ answers: [MockAnswer]) -> MockRule {
        script.withLock { $0.rules[number - 1].answers += answers }
        return self
    }

    /// Allows unused answers at the end of a test.
    @discardableResult
    public func optional() -> MockRule {
        script.withLock { $0.rules[number - 1].isOptional = true }
        return self
    }

    /// The requests that this rule has answered, in order.
    public var requests: [HTTPRequest] {
        script.withLock { script in script.rules[number - 1].requests.map { script.requests[$0] } }
    }

    public var description: String { script.withLock { $0.describe(number - 1) } }
}

/// A mock transport has answers that no request used.
public struct UnusedRules: Error, Equatable, CustomStringConvertible {
    /// The remaining answers of each rule, one line each.
    public let rules: [String]

    public var description: String { "the mock was not used up: " + rules.joined(separator: "; ") }
}
