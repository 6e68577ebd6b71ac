/// A transport's behavior that differs from the expectation, because of a platform fault without a workaround.
struct KnownDifference: Sendable {
    enum Effect: Sendable {
        case sees(FaultExpectation)
        /// As it should be, but with more memory, up to so many bytes.
        case takes(memory: Int)
        /// As it should be, but with as much memory as happens to be needed.
        case takesWhatItLikes
        /// The case is not run; the named suite makes sure that it still is so.
        case endsTheProcess(pinnedBy: String)
    }

    /// The code of the platform's limit, which has no workaround.
    let line: String
    let effect: Effect

    static func sees(_ expectation: FaultExpectation, _ line: String) -> Self {
        Self(line: line, effect: .sees(expectation))
    }

    static func takes(mebibytes: Int, _ line: String) -> Self {
        Self(line: line, effect: .takes(memory: mebibytes << 20))
    }

    static func endsTheProcess(_ line: String, pinnedBy suite: String) -> Self {
        Self(line: line, effect: .endsTheProcess(pinnedBy: suite))
    }
}
