public import Foundation
public import NetworkEngine

/// The result of a completed upload.
public struct FinishedUpload: Sendable {
    /// The upload's URL. A tus server often keeps the content there.
    public let address: URL?
    /// The response to the last bytes; `nil` if it was lost and the server later confirmed that it has all bytes.
    public let response: HTTPResponse?
}
