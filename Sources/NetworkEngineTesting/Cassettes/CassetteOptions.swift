public import Foundation

/// How a cassette compares, hides and writes.
///
/// ```swift
/// var options = CassetteOptions()
/// options.matching = CassetteMatching([.method, .url, .body])
/// options.secretParameters = ["customer"]
/// ```
public struct CassetteOptions: Sendable {
    public var matching = CassetteMatching()
    /// Headers whose values are taken out, besides those whose names say that they are secret.
    ///
    /// `NetworkConfiguration.secretNames` of the recorded client are included.
    public var secretHeaders: Set<String> = []
    /// Query items, form fields, multipart fields and JSON members, on any level, whose values are taken out, besides those
    /// whose names say so (`password`, `token`, `api_key`, …).
    public var secretParameters: Set<String> = []
    /// Names that are not secret, although they look secret: `session_count`. Query items of these names are recorded
    /// unchanged.
    public var harmlessNames: Set<String> = []
    /// Values that are taken out wherever they are.
    public var secretValues: Set<String> = []
    /// Headers of responses that are not recorded, because they differ each time.
    public var volatileHeaders: Set<String> = ["Date", "Age", "Expires"]
    /// Whether the times of exchanges are written; without them the same exchanges give the same file.
    public var recordsTimes = false
    /// Whether an exchange answers more than one request.
    public var allowsRepeats = false
    /// What time it is, for `recordsTimes`.
    public var now: @Sendable () -> Date = { Date() }

    public init() {}
}
