public import Foundation
public import NetworkEngine

/// An upload on a test server.
public struct LoopbackUpload: Sendable {
    /// A resumable upload protocol.
    public enum Dialect: Hashable, Sendable {
        /// tus 1.0, with the creation and termination extensions.
        case tus
        /// *Resumable Uploads for HTTP* by the IETF, with the number in `Upload-Draft-Interop-Version`.
        case draft(version: Int)
    }

    /// The number in the address, starting at 0.
    public let number: Int
    /// The headers of the request that created it.
    public let headers: HTTPHeaders
    /// The length that the client declared.
    public let length: Int64?
    /// The file with the received bytes.
    public let file: URL
    /// The number of received bytes.
    public internal(set) var offset: Int64 = 0
    /// Whether the client has sent everything.
    public internal(set) var isComplete = false
}
