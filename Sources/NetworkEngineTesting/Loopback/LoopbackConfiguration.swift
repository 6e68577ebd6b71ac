/// How a loopback server listens, what it accepts, and how much it remembers.
///
/// ```swift
/// var configuration = LoopbackConfiguration()
/// configuration.bodyRecordingLimit = 0
/// let server = try LoopbackServer(configuration)
/// ```
public struct LoopbackConfiguration: Sendable {
    public enum Address: Sendable { case ipv4, ipv6 }

    public var address = Address.ipv4
    /// A port to come back on; 0 lets the system choose.
    public var port: UInt16 = 0
    /// How many connections the system accepts ahead of the server.
    public var backlog: Int32 = 1024
    /// Bytes of each request body that are kept; what is beyond is counted and digested.
    public var bodyRecordingLimit = 1 << 20
    /// Requests that are kept; those beyond are counted.
    public var requestRecordingLimit = 100_000
    /// Largest head that is read; a larger one is answered with 431.
    public var headLimit = 1 << 20
    /// Most header fields that are read; more are answered with 431.
    public var headerCountLimit = 20_000
    /// Largest request body that is read; a larger one is answered with 413.
    public var bodyLimit = Int.max
    /// Whether `Expect: 100-continue` is answered before the body is read.
    public var answersExpectations = true
    /// Whether a client that has ended its sending direction still gets its answer; else it counts as gone.
    public var servesHalfClosedClients = false
    /// How long a connection that is being closed goes on reading, so that a reset does not overtake the answer.
    public var lingering: Duration = .seconds(1)
    /// The kernel's buffers for each connection; small ones make back-pressure visible early.
    public var sendBufferSize: Int?
    public var receiveBufferSize: Int?

    public init() {}
}
