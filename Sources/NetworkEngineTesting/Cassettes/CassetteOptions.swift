public import Foundation

/// Options for matching, redaction and recording.
///
/// ```swift
/// var options = CassetteOptions()
/// options.matching = CassetteMatching([.method, .url, .body])
/// options.secretParameters = ["customer"]
/// ```
public struct CassetteOptions: Sendable {
    /// The parts of a request that must match the recorded exchange; method and URL by default.
    public var matching = CassetteMatching()
    /// Headers to redact in addition to those with a secret name.
    ///
    /// `NetworkConfiguration.secretNames` of the recording client are included.
    public var secretHeaders: Set<String> = []
    /// Query items, form fields, multipart fields and JSON members on any level to redact, in addition to those with a
    /// secret name (`password`, `token`, `api_key`, …).
    public var secretParameters: Set<String> = []
    /// Names that look secret but are not, such as `session_count`. Query items with these names are recorded
    /// unchanged.
    public var harmlessNames: Set<String> = []
    /// Values to redact wherever they occur.
    public var secretValues: Set<String> = []
    /// Response headers that are not recorded because they differ each time.
    public var volatileHeaders: Set<String> = ["Date", "Age", "Expires"]
    /// Whether the times of exchanges are recorded. Without times, the same exchanges produce the same file.
    public var recordsTimes = false
    /// Whether one exchange can answer several requests.
    public var allowsRepeats = false
    /// The current time, for `recordsTimes`.
    public var now: @Sendable () -> Date = { Date() }

    /// Creates options with their default values.
    public init() {}
}

/// When a cassette records and when it plays.
public enum CassetteMode: String, Hashable, Sendable, CaseIterable {
    /// Records when the file does not exist; otherwise only plays.
    case once
    /// Only plays. A missing file is an error.
    case none
    /// Plays recorded exchanges and records new ones. A placeholder for a recorded secret also matches a request with
    /// another value.
    case newEpisodes
    /// Records everything and replaces the previous recording.
    case all
}
