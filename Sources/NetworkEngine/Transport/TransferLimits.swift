/// How much a response may hold before its transfer is broken off with `.limit`.
public struct TransferLimits: Hashable, Sendable {
    /// Decoded bytes of a body kept in memory; 256 MiB unless changed.
    public var bodyInMemory: Int64 = 256 << 20
    /// Bytes of a body written to a file; as many as fit unless changed.
    public var bodyInFile: Int64 = .max
    /// Bytes of a streamed body that may wait on disk for a slow reader, where a transport cannot slow the server down;
    /// 256 MiB unless changed.
    public var streamBacklog: Int64 = 256 << 20

    public init() {}
}
