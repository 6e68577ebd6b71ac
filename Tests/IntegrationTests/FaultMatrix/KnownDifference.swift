/// What a transport does in a case in place of what it should, because of something that nobody above it can mend.
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

    /// The heading in `Linux.md` that describes the difference.
    let heading: String
    let effect: Effect

    static func sees(_ expectation: FaultExpectation, _ heading: String) -> Self {
        Self(heading: heading, effect: .sees(expectation))
    }

    static func takes(mebibytes: Int, _ heading: String) -> Self {
        Self(heading: heading, effect: .takes(memory: mebibytes << 20))
    }

    static func endsTheProcess(_ heading: String, pinnedBy suite: String) -> Self {
        Self(heading: heading, effect: .endsTheProcess(pinnedBy: suite))
    }
}
