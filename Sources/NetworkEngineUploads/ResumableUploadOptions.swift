public import NetworkEngine

/// Options for resumable uploads.
///
/// ```swift
/// var options = ResumableUploadOptions()
/// options.pieceSize = 16 << 20
/// ```
public struct ResumableUploadOptions: Sendable {
    /// The protocol of an upload.
    public enum UploadProtocol: Hashable, Sendable {
        /// The protocol that the server responds with: draft 6 or tus. One request offers both.
        case automatic
        /// tus 1.0.
        case tus
        /// *Resumable Uploads for HTTP* by the IETF, with the number in `Upload-Draft-Interop-Version`.
        ///
        /// Servers built for iOS 17 use version 3, newer ones version 6.
        case draft(version: Int)
    }

    /// The protocol; by default the one that the server responds with.
    public var uploadProtocol: UploadProtocol = .automatic
    /// The number of bytes in one request; `nil`, the default, for all remaining bytes.
    ///
    /// Pieces help if a proxy buffers a request before it forwards it, as nginx does by default: whatever such a proxy
    /// has not forwarded is lost with the connection. Each piece takes a round trip.
    public var pieceSize: Int64?
    /// The number of consecutive failures, without a newly confirmed byte, after which the call fails.
    public var failureLimit = 5
    /// Computes the delays after failures; by default random ones that grow from half a second to 30 seconds.
    public var backoff: Backoff = .exponential(base: .milliseconds(500), cap: .seconds(30))
    /// The statuses after which an upload continues.
    public var statuses: Set<Int> = [408, 409, 423, 429, 500, 502, 503, 504]
    /// The metadata for a tus server, in addition to `filename` and `filetype`.
    public var metadata: [String: String] = [:]
    /// Whether the content may be sent to a URL at another origin that the server specifies.
    ///
    /// No credential is sent there. Without this option such an upload fails. An origin in
    /// `NetworkConfiguration.trustedOrigins` is allowed without it, and receives the same headers as the first origin.
    public var allowsOtherOrigins = false
    /// Returns a random number from 0 to 1.
    public var random: @Sendable () -> Double = { .random(in: 0...1) }
    /// Measures the delays.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Creates options with their default values.
    public init() {}
}
