/// The times and sizes of one exchange with a server; `nil` where the transport does not know them.
public struct ExchangeMetrics: Hashable, Sendable {
    /// The time between the call of the transport and admission.
    public var queued: Duration?
    /// The time between admission and the first byte of the response.
    public var firstByte: Duration?
    /// The time between admission and the last byte.
    public var total: Duration?
    public var bytesSent: Int64?
    public var bytesReceived: Int64?
    /// Whether the connection was used before.
    public var isConnectionReused: Bool?
    /// The time of the name lookup, on a new connection.
    public var nameLookup: Duration?
    /// The time of connecting, after the name lookup.
    public var connecting: Duration?
    /// The time of the TLS handshake, after connecting.
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
