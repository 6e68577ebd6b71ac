/// A value that a response without a body stands for.
package protocol AbsentBody {
    static var absent: Self { get }
}

extension Optional: AbsentBody {
    package static var absent: Wrapped? { nil }
}

/// The value of a response whose body does not matter: whatever comes is not looked at.
public struct Empty: Hashable, Sendable, Codable, AbsentBody {
    public init() {}

    /// Takes any document.
    public init(from decoder: any Decoder) throws {}

    package static var absent: Empty { Empty() }
}
