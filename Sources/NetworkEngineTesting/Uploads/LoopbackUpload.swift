public import Foundation
public import NetworkEngine

/// An upload at a server for tests.
public struct LoopbackUpload: Sendable {
    /// The protocol of a server.
    public enum Dialect: Hashable, Sendable {
        /// tus 1.0, with the extensions for creation and termination.
        case tus
        /// *Resumable Uploads for HTTP* of the IETF, with the number in `Upload-Draft-Interop-Version`.
        case draft(version: Int)
    }

    /// The number in the address, starting at 0.
    public let number: Int
    /// The headers of the request that began it.
    public let headers: HTTPHeaders
    /// The length that the client announced.
    public let length: Int64?
    /// The file with the bytes.
    public let file: URL
    /// The number of bytes.
    public internal(set) var offset: Int64 = 0
    /// Whether the client has sent everything.
    public internal(set) var isComplete = false
}
