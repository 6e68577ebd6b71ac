import NetworkEngine
public import NetworkEngineWebSocket

/// The options for a loopback server.
///
/// ```swift
/// var configuration = LoopbackConfiguration()
/// configuration.bodyRecordingLimit = 0
/// let server = try LoopbackServer(configuration)
/// ```
public struct LoopbackConfiguration: Sendable {
    /// A loopback address.
    public enum Address: Sendable {
        /// `127.0.0.1`
        case ipv4
        /// `::1`
        case ipv6
    }

    /// The address to listen on.
    public var address = Address.ipv4
    /// The port to listen on; 0 lets the system choose.
    public var port: UInt16 = 0
    /// The number of connections that the system accepts ahead of the server.
    public var backlog: Int32 = 1024
    /// The bytes of each request body to record. Further bytes are only counted and digested.
    public var bodyRecordingLimit = 1 << 20
    /// The number of requests to record. Further requests are only counted.
    public var requestRecordingLimit = 100_000
    /// The largest request head in bytes. A larger one is answered with 431.
    public var headLimit = 1 << 20
    /// The largest number of header fields. More are answered with 431.
    public var headerCountLimit = 20_000
    /// The largest request body in bytes. A larger one is answered with 413.
    public var bodyLimit = Int.max
    /// Whether `Expect: 100-continue` is answered before the body is read.
    public var answersExpectations = true
    /// Whether a client that has closed its sending direction still gets a response. Otherwise it is treated as
    /// disconnected.
    public var servesHalfClosedClients = false
    /// How long a closing connection continues to read, so that a reset does not overtake the response.
    public var lingering: Duration = .seconds(1)
    /// The options for the server's end of a WebSocket.
    public var webSockets = WebSocketOptions()
    /// The size of the kernel's send buffer for each connection. Small buffers show back-pressure early.
    public var sendBufferSize: Int?
    /// The size of the kernel's receive buffer for each connection; `nil` for the system default.
    public var receiveBufferSize: Int?

    /// Creates a configuration with its default values.
    public init() {}
}
