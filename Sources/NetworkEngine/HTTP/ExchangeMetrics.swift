/// The times and sizes of one exchange with a server; `nil` if the transport doesn't report them.
///
/// libcurl reports all of them except the TLS version. URLSession reports all except `resends` on Apple platforms. On
/// Linux it reports the time in the queue, the time until the first byte, the total time, and the byte counts.
public struct ExchangeMetrics: Hashable, Sendable {
    /// The time from the call to the transport until admission.
    public var queued: Duration?
    /// The time from admission until the first byte of the response.
    public var firstByte: Duration?
    /// The time from admission until the last byte.
    public var total: Duration?
    /// The number of request body bytes sent.
    public var bytesSent: Int64?
    /// The number of response body bytes received, after content decoding.
    public var bytesReceived: Int64?
    /// Whether the connection was used before.
    public var isConnectionReused: Bool?
    /// The time for the name lookup, on a new connection.
    public var domainLookup: Duration?
    /// The time to connect, after the name lookup.
    public var connecting: Duration?
    /// The time for the TLS handshake, after connecting.
    public var tlsHandshake: Duration?
    /// The time from admission until the last byte of the request was passed to the system.
    public var requestSent: Duration?
    /// The application protocol's ALPN name: `http/1.0`, `http/1.1`, `h2`, `h3`.
    public var networkProtocol: String?
    /// The peer's numeric address. The peer may be a proxy.
    public var remoteAddress: String?
    /// The peer's port. The peer may be a proxy.
    public var remotePort: Int?
    /// Whether the exchange with the server was encrypted.
    public var isSecure: Bool?
    /// The TLS version, such as `1.3`.
    public var tlsVersion: String?
    /// The number of times that the transport resent the request within the exchange, because its connection was lost
    /// or the server refused it.
    ///
    /// A resend does not count as an attempt. Only `CurlTransport` reports the number.
    public var resends: Int?

    /// Creates metrics, for example in a transport. Omitted values are unknown.
    public init(
        queued: Duration? = nil,
        firstByte: Duration? = nil,
        total: Duration? = nil,
        bytesSent: Int64? = nil,
        bytesReceived: Int64? = nil,
        isConnectionReused: Bool? = nil,
        domainLookup: Duration? = nil,
        connecting: Duration? = nil,
        tlsHandshake: Duration? = nil,
        requestSent: Duration? = nil,
        networkProtocol: String? = nil,
        remoteAddress: String? = nil,
        remotePort: Int? = nil,
        isSecure: Bool? = nil,
        tlsVersion: String? = nil
    ) {
        self.queued = queued
        self.firstByte = firstByte
        self.total = total
        self.bytesSent = bytesSent
        self.bytesReceived = bytesReceived
        self.isConnectionReused = isConnectionReused
        self.domainLookup = domainLookup
        self.connecting = connecting
        self.tlsHandshake = tlsHandshake
        self.requestSent = requestSent
        self.networkProtocol = networkProtocol
        self.remoteAddress = remoteAddress
        self.remotePort = remotePort
        self.isSecure = isSecure
        self.tlsVersion = tlsVersion
    }
}
