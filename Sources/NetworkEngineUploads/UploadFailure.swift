/// The reason for which an upload cannot be resumed, as `underlying` of the error.
///
/// ```swift
/// do throws(NetworkError) {
///     try await client.upload(video, resuming: .file(at: state))
/// } catch {
///     if error.underlying as? UploadFailure == .contentChanged { askAgain() }
/// }
/// ```
/// After `.forgotten`, `.contentChanged`, `.offsetWentBack(from:to:)`, `.contradictoryRecord` and `.responseLost` the
/// state is removed, so that the next call begins a new upload.
public enum UploadFailure: Error, Hashable, Sendable {
    /// The server does not answer as one that resumes uploads. Nothing of the content was sent.
    case notSupported
    /// The server does not know the upload any more.
    case forgotten
    /// The file was written, or the content is another one, since the upload began.
    case contentChanged
    /// The state belongs to a request with another method or address. It stays.
    case otherRequest
    /// The server has fewer bytes than it has confirmed.
    case offsetWentBack(from: Int64, to: Int64)
    /// The record of the upload contradicts itself: it has another length than the content, or more bytes than it can
    /// have, or it is complete without all bytes.
    case contradictoryRecord
    /// The server has all bytes, or has ended the upload after the last of them. Its response, and the value in it, was
    /// lost or does not confirm the upload.
    case responseLost
}
