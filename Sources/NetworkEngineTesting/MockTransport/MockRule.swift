public import NetworkEngine

/// A rule of a mock transport: which requests it is for, and what it answers to them.
public struct MockRule: Sendable, CustomStringConvertible {
    let number: Int
    let script: Locked<MockScript>

    /// Adds answers, which are given one after the other.
    @discardableResult
    public func answers(_ answers: MockAnswer...) -> MockRule { self.answers(answers) }

    /// Adds answers, which are given one after the other.
    @discardableResult
    public func answers(_ answers: [MockAnswer]) -> MockRule {
        script.withLock { $0.rules[number - 1].answers += answers }
        return self
    }

    /// Lets the rule have answers left at the end without being reported as unused.
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
