import Foundation

/// The events that a server sends, received until the loop ends.
///
/// ```swift
/// for try await event in provider.events(.news) { show(event.data) }
/// ```
/// When a connection ends or fails, the sequence reconnects and resumes after the last event. Status 204 ends the
/// sequence. It throws for any other status than 200, for another content type, for an event larger than `eventLimit`,
/// and after more than `reconnectLimit` consecutive connections without any data.
///
/// The deadline of the configuration limits each connection until its head, and not the sequence. A connection that
/// exceeds it has failed, and the sequence reconnects.
///
/// An idle connection stays open unless `idleTimeout` is set. Breaking out of the loop closes the connection. To resume
/// after a known event, set the `Last-Event-ID` header of the target or endpoint.
public struct ServerSentEvents: AsyncSequence, Sendable {
    public typealias Element = ServerSentEvent
    typealias Connect =
        @Sendable (Connection, Session) async throws(NetworkError) -> (stream: ResponseStream, lastEventID: String)

    /// The parameters of one connection.
    struct Connection: Sendable {
        /// The event to resume after; `nil` for the first connection, which uses the request's header.
        let lastEventID: String?
        let idleTimeout: Duration?
    }

    /// The state that all connections of an iteration share.
    struct Session: Sendable {
        /// The values of interceptors, such as the session of the user.
        var storage: CallStorage?
        /// The base of the URL, or the reason why it is not valid.
        var base: Result<URL, NetworkError>?
        /// The call that all connections are attempts of; `nil` without observers.
        var call: ObservedCall?
    }

    /// Activity between events.
    public enum Signal: Sendable {
        /// A connection is open. The response has no body.
        case connected(HTTPResponse)
        /// The server sent a comment. Servers send comments to keep a connection alive.
        case comment(String)
        /// Connecting failed, or the connection ended, for this reason. The next attempt follows after the pause.
        case reconnecting(after: Duration, reason: NetworkError)
    }

    /// The pause before another connection, until the server names one.
    public var retryDelay: Duration = .seconds(3)
    /// The shortest pause that a server can name. A server that asks for none at all gets this one.
    public var minimumRetryDelay: Duration = .seconds(1)
    /// The maximum number of consecutive connections that fail, or end without data in less time than the retry delay.
    public var reconnectLimit = 10
    /// The maximum number of bytes of an event, without line endings and comments.
    public var eventLimit = 16 << 20
    /// The time without any byte after which the sequence reconnects; unlimited by default.
    ///
    /// For a server that sends comments to keep connections alive, use two or three times their interval. That detects
    /// a connection that was lost silently.
    public var idleTimeout: Duration?
    /// Receives the activity between events, in order, while the next event is awaited.
    public var onSignal: (@Sendable (Signal) -> Void)?
    /// Whether an event with a name but no data is an event. Browsers ignore it.
    package var includesEventsWithoutData = false

    let timebase: Timebase
    /// Captures the session when iteration begins. All connections belong to this session.
    let begin: @Sendable () -> Session
    let connect: Connect

    init(
        clock: any Clock<Duration>,
        begin: @escaping @Sendable () -> Session = { Session() },
        connect: @escaping Connect
    ) {
        timebase = .reading(clock)
        self.begin = begin
        self.connect = connect
    }

    /// Creates events that send a new request over an engine for each connection.
    init(
        over engine: RequestEngine,
        _ options: CallOptions,
        request build: @escaping @Sendable (inout CallOptions) throws(NetworkError) -> HTTPRequest
    ) {
        self.init(
            clock: engine.configuration.clock,
            begin: {
                let base = options.target.map(engine.builder.rules.baseResult)
                return Session(storage: engine.newStorage, base: base, call: ObservedCall(engine.observers))
            }
        ) { connection, session throws(NetworkError) in
            var options = options
            options.storage = session.storage?.copy
            options.observedCall = session.call
            options.base = try session.base?.get()
            options.streamTimeout = connection.idleTimeout.map { .limited($0) } ?? .unlimited
            var request = try build(&options)
            request.headers["Accept"] = request.headers["Accept"] ?? "text/event-stream"
            request.headers["Cache-Control"] = request.headers["Cache-Control"] ?? "no-cache"
            if let lastEventID = connection.lastEventID {
                request.headers["Last-Event-ID"] = lastEventID.isEmpty ? nil : lastEventID
            }
            let lastEventID = request.headers["Last-Event-ID"] ?? ""
            return (try await engine.stream(request, options), lastEventID)
        }
    }
}
