/// What one exchange with a server took; `nil` where the transport cannot know.
public struct ExchangeMetrics: Hashable, Sendable {
    /// From being handed to the transport to being admitted to the wire.
    public var queued: Duration?
    /// From admission to the first byte of the response.
    public var firstByte: Duration?
    /// From admission to the last byte.
    public var total: Duration?
    public var bytesSent: Int64?
    public var bytesReceived: Int64?
    /// Whether the connection had carried an exchange before.
    public var isConnectionReused: Bool?
    /// Finding the address of the host, on a connection made for this exchange.
    public var nameLookup: Duration?
    /// From then until a connection was there.
    public var connecting: Duration?
    /// The TLS handshake after that.
    public var securing: Duration?

    public init(
        queued: Duration? = nil,
        firstByte: Duration? = nil,
        total: Duration? = nil,
        bytesSent: Int64? = nil,
        bytesReceived: Int64? = nil,
        isConnectionReused: Bool? = nil,
        nameLookup: Duration? = nil,
        connecting: Duration? = nil,
        securing: Duration? = nil
    ) {
        self.queued = queued
        self.firstByte = firstByte
        self.total = total
        self.bytesSent = bytesSent
        self.bytesReceived = bytesReceived
        self.isConnectionReused = isConnectionReused
        self.nameLookup = nameLookup
        self.connecting = connecting
        self.securing = securing
    }
}
