/// When a cassette records and when it plays.
public enum CassetteMode: String, Hashable, Sendable, CaseIterable {
    /// Records when there is no file yet, and only plays when there is one.
    case once
    /// Only plays; a file that is missing is an error.
    case none
    /// Plays what it has and records what is new.
    case newEpisodes
    /// Records everything anew, in the place of what was there.
    case all
}
