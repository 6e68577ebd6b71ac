/// A fault case result that differs from the expected one because of a limitation below the transport.
struct KnownDifference: Sendable {
    enum Effect: Sendable {
        case sees(FaultExpectation)
        /// The expected result, with more memory, up to a number of bytes.
        case takes(memory: Int)
        /// The expected result, with any amount of memory.
        case takesWhatItLikes
        /// The case isn't run. The named suite checks that the process still crashes.
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
