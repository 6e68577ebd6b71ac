import Foundation
public import NetworkEngine

/// The events from a server, received until the loop ends.
///
/// ```swift
/// for try await event in provider.events(.news) { show(event.data) }
/// ```
/// When a connection ends or fails, the sequence reconnects and resumes after the last event. Status 204 ends the
/// sequence. It throws for any status other than 200, for another content type, for an event larger than `eventLimit`,
/// and after more than `reconnectLimit` consecutive connections that fail or end quickly without any data.
///
/// Only a repeatable request is sent again: one with a safe method such as GET, or one that you declare repeatable with
/// `isRepeatable`. The events of any other request, such as a POST, end with its response, and a lost connection
/// throws.
///
/// The configuration's deadline limits each connection until its response head arrives, but not the sequence. A
/// connection that exceeds it has failed, and the sequence reconnects.
///
/// An idle connection remains open unless `idleTimeout` is set. Breaking out of the loop closes the connection. To
/// resume after a known event, set the `Last-Event-ID` header of the target or endpoint.
public struct ServerSentEvents: AsyncSequence, Sendable {
    typealias Connect =
        @Sendable (Connection, CallSession) async throws(NetworkError) -> (stream: ResponseStream, lastEventID: String)

    /// The parameters of one connection.
    struct Connection: Sendable {
        /// The event to resume after; `nil` for the first connection, which uses the request's header.
        let lastEventID: String?
        let idleTimeout: Duration?
        /// Receives the request's method.
        let method: Locked<HTTPMethod?>
    }

    /// Activity between events.
    public enum Signal: Sendable {
        /// A connection is open. The response has no body.
        case connected(HTTPResponse)
        /// The server sent a comment. Servers send comments to keep a connection alive.
        case comment(String)
        /// Connecting failed, or the connection ended, for this reason. The next attempt follows after the delay.
        case reconnecting(after: Duration, reason: NetworkError)
    }

    /// The delay before another connection, until the server specifies one.
    public var retryDelay: Duration = .seconds(3)
    /// The minimum delay that a server can specify. Shorter delays, including zero, are raised to this one.
    ///
    /// The maximum is five minutes, so that a server cannot keep an app from reconnecting.
    public var minimumRetryDelay: Duration = .seconds(1)
    /// The maximum number of consecutive connections that fail, or end without data in less time than the retry delay.
    ///
    /// With 0 there is only one connection: the sequence ends with the response, and a lost connection throws.
    public var reconnectLimit = 10
    /// Whether the request may be sent again although its method is not safe, such as a POST that only subscribes.
    ///
    /// A request with a safe method, such as GET, is always repeatable.
    public var isRepeatable = false
    /// The maximum number of bytes in an event, without line endings and comments.
    public var eventLimit = 16 << 20
    /// The time without any byte after which the sequence reconnects; unlimited by default.
    ///
    /// For a server that sends comments to keep connections alive, use two or three times their interval. This detects
    /// a connection that was lost silently.
    public var idleTimeout: Duration?
    /// Receives the activity between events, in order, while the next event is awaited.
    public var onSignal: (@Sendable (Signal) -> Void)?
    /// Whether an event with a name but no data is an event. Browsers ignore it.
    package var includesEventsWithoutData = false

    /// Measures the delays between connections for calls without an engine.
    private let timebase: Timebase
    let connect: Connect

    init(clock: any Clock<Duration> = ContinuousClock(), connect: @escaping Connect) {
        (timebase, self.connect) = (.reading(clock), connect)
    }

    /// Measures an iteration's delays.
    func timebase(of session: CallSession) -> Timebase { session.current?.timebase ?? timebase }
}
