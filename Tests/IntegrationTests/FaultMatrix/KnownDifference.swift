/// What a transport does in a case in place of what it should, because of something that nobody above it can mend.
struct KnownDifference: Sendable {
    enum Effect: Sendable {
        case sees(FaultExpectation)
        /// The case is not run; the named suite makes sure that it still is so.
        case endsTheProcess(pinnedBy: String)
    }

    /// The line of `linux.md` that has no workaround.
    let line: String
    let effect: Effect

    static func sees(_ expectation: FaultExpectation, _ line: String) -> Self {
        Self(line: line, effect: .sees(expectation))
    }

    static func endsTheProcess(_ line: String, pinnedBy suite: String) -> Self {
        Self(line: line, effect: .endsTheProcess(pinnedBy: suite))
    }
}
