/// A mock was not asked for everything that it was prepared to answer.
public struct UnusedRules: Error, Equatable, CustomStringConvertible {
    /// What each rule has left.
    public let rules: [String]

    public var description: String { "the mock was not used up: " + rules.joined(separator: "; ") }
}
