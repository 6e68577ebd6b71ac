public import NetworkEngine

/// How an upload that resumes is sent.
///
/// ```swift
/// var options = ResumableUploadOptions()
/// options.pieceSize = 16 << 20
/// ```
public struct ResumableUploadOptions: Sendable {
    /// The protocol of an upload.
    public enum UploadProtocol: Hashable, Sendable {
        /// The one that the server answers with: draft 6 or tus. One request offers both.
        case automatic
        /// tus 1.0.
        case tus
        /// *Resumable Uploads for HTTP* of the IETF, with the number in `Upload-Draft-Interop-Version`.
        ///
        /// Servers that were built for iOS 17 speak version 3, newer ones version 6.
        case draft(version: Int)
    }

    /// The protocol; by default the one that the server answers with.
    public var uploadProtocol: UploadProtocol = .automatic
    /// The number of bytes in one request; `nil`, the default, for all that remain.
    ///
    /// Pieces help where a proxy collects a request before it passes it on, as nginx does by default: what such a proxy
    /// has not passed on is lost with the connection. Each piece takes a round trip.
    public var pieceSize: Int64?
    /// The number of failures in a row, without a byte that the server confirmed, after which the call fails.
    public var failureLimit = 5
    /// Computes the pauses after failures; by default random ones that grow from half a second to 30 seconds.
    public var backoff: Backoff = .exponential(base: .milliseconds(500), cap: .seconds(30))
    /// The statuses after which an upload continues.
    public var statuses: Set<Int> = [408, 409, 423, 429, 500, 502, 503, 504]
    /// What a tus server learns about the content, besides `filename` and `filetype`.
    public var metadata: [String: String] = [:]
    /// Whether the content may be sent to an address at another origin that the server names.
    ///
    /// No credential is sent there. Without this option such an upload fails. An origin in
    /// `NetworkConfiguration.trustedOrigins` is allowed without it, and gets what the first origin gets.
    public var allowsOtherOrigins = false
    /// Returns a random number from 0 to 1.
    public var random: @Sendable () -> Double = { .random(in: 0...1) }
    /// Measures the pauses.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Creates options with their default values.
    public init() {}
}
