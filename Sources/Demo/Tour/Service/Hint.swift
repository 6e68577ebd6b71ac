/// The answer to a wrong guess.
enum Hint: String, Codable, Sendable {
    case higher, lower

    /// The numbers that are possible after a guess.
    func narrowing(_ range: ClosedRange<Int>, after guess: Int) -> ClosedRange<Int> {
        switch self {
        case .higher: min(guess + 1, range.upperBound)...range.upperBound
        case .lower: range.lowerBound...max(guess - 1, range.lowerBound)
        }
    }
}
