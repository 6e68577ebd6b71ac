/// The reason why an upload cannot be resumed, as `underlying` of the error.
///
/// ```swift
/// do throws(NetworkError) {
///     try await client.upload(video, resuming: .file(at: state))
/// } catch {
///     if error.underlying as? UploadFailure == .contentChanged { askAgain() }
/// }
/// ```
/// After `.forgotten`, `.contentChanged`, `.offsetWentBack(from:to:)`, `.contradictoryRecord` and `.responseLost` the
/// state is removed, so the next call starts a new upload.
public enum UploadFailure: Error, Hashable, Sendable {
    /// The server does not support resumable uploads. No content was sent.
    case notSupported
    /// The server no longer has the upload.
    case forgotten
    /// The file was written, or the content was replaced, since the upload started.
    case contentChanged
    /// The state belongs to a request with another method or URL. It is not removed.
    case otherRequest
    /// The server has fewer bytes than it has confirmed.
    case offsetWentBack(from: Int64, to: Int64)
    /// The server's record of the upload is contradictory: its length differs from the content's, it has more bytes
    /// than possible, or it is complete without all bytes.
    case contradictoryRecord
    /// The server has all bytes, or has ended the upload after the last of them. Its response, including the value, was
    /// lost or does not confirm the upload.
    case responseLost
}
