/// The times and sizes of one exchange with a server; `nil` where the transport does not know them.
///
/// libcurl knows all of them but the version of TLS. URLSession knows all but `resends` on Apple platforms. On Linux it
/// knows the times in the queue, until the first byte and in all, and the bytes.
public struct ExchangeMetrics: Hashable, Sendable {
    /// The time between the call of the transport and admission.
    public var queued: Duration?
    /// The time between admission and the first byte of the response.
    public var firstByte: Duration?
    /// The time between admission and the last byte.
    public var total: Duration?
    /// The number of bytes of the request's body that were sent.
    public var bytesSent: Int64?
    /// The number of bytes of the response's body that were received, after a content coding was decoded.
    public var bytesReceived: Int64?
    /// Whether the connection was used before.
    public var isConnectionReused: Bool?
    /// The time of the name lookup, on a new connection.
    public var domainLookup: Duration?
    /// The time of connecting, after the name lookup.
    public var connecting: Duration?
    /// The time of the TLS handshake, after connecting.
    public var tlsHandshake: Duration?
    /// The time between admission and the moment at which the last byte of the request was passed to the system.
    public var requestSent: Duration?
    /// The application protocol as ALPN names it: `http/1.0`, `http/1.1`, `h2`, `h3`.
    public var networkProtocol: String?
    /// The numeric address of the peer, which may be a proxy.
    public var remoteAddress: String?
    /// The port of the peer, which may be a proxy.
    public var remotePort: Int?
    /// Whether the exchange with the server was encrypted.
    public var isSecure: Bool?
    /// The version of TLS, such as `1.3`.
    public var tlsVersion: String?
    /// The number of times that the transport sent the request again within the exchange, because its connection was
    /// lost or the server refused it.
    ///
    /// Such a repetition is not an attempt of the call. Only `CurlTransport` knows the number.
    public var resends: Int?

    /// Creates metrics, for example in a transport. Values that are omitted are unknown.
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
