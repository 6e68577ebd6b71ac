/// One exchange with a server: a request goes out, a response comes back.
///
/// It never follows a redirect and never retries; a status of any kind is a response, not an error. When the task that
/// runs it is cancelled, it stops and throws. It calls `reportActivity()` on the context when bytes are sent or received: the
/// timeout limits the time between these reports.
///
/// ```swift
/// struct Canned: Transport {
///     func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
///         HTTPResponse(statusCode: 200, body: .data(Data("{}".utf8)), request: request)
///     }
/// }
/// ```
public protocol Transport: Sendable {
    func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse

    /// What the transport does beyond the above; nothing unless it says so.
    var capabilities: TransportCapabilities { get }

    /// Throws what every send would throw because of how the transport was made; nothing unless implemented.
    func validate() throws(NetworkError)
}

extension Transport {
    public var capabilities: TransportCapabilities { [] }

    public func validate() throws(NetworkError) {}
}

/// What a transport promises beyond sending.
public struct TransportCapabilities: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// It calls `admitted()` on the context when a request leaves its queue; the timeout runs from there.
    public static let reportsAdmission = Self(rawValue: 1 << 0)
    /// It registers with `onInterruption` and stops when called. Others are run in a task of their own, at a cost, so
    /// that they can be ended.
    ///
    /// Downloads are asked of it as a `.stream`, and go on where they were cut off or paused. Of others they are asked as
    /// a `.file`, and begin anew.
    public static let stopsWhenInterrupted = Self(rawValue: 1 << 1)
}
