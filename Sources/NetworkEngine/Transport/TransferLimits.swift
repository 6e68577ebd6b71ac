/// The maximum size of a response. A larger response ends its call with `.limit`.
public struct TransferLimits: Hashable, Sendable {
    /// Decoded bytes of a body in memory; 256 MiB by default.
    public var bodyInMemory: Int64 = 256 << 20
    /// Bytes of a body in a file; unlimited by default.
    public var bodyInFile: Int64 = .max
    /// Bytes of a streamed body that may wait on disk for a slow reader, if the transport cannot slow the server down;
    /// 256 MiB by default.
    public var streamBacklog: Int64 = 256 << 20

    /// Creates limits with their default values.
    public init() {}
}
