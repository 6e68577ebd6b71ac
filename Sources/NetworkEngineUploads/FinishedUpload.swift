public import Foundation
public import NetworkEngine

/// The end of an upload.
public struct FinishedUpload: Sendable {
    /// The address of the upload. A tus server often keeps the content there.
    public let address: URL?
    /// The response to the last bytes; `nil` if it was lost, and the server said later that it has them all.
    public let response: HTTPResponse?
}
