public import Foundation

/// An HTTP/1.1 server on a loopback port for tests, with fault injection.
///
/// ```swift
/// let server = try LoopbackServer()
/// server.enqueue(.status(503), .json(#"{"id": 7}"#))
/// // … requests to server.url …
/// #expect(server.requests.map(\.path) == ["/users/7", "/users/7"])
/// ```
/// The server listens from `init` until `stop()` or its deinitialization, on a dedicated thread. A request takes the
/// next queued response when its head has arrived. If the queue is empty, the handler is called after the body is read.
/// Without a handler, the response is a 404 that explains this.
public final class LoopbackServer: Sendable {
    /// The port that the server listens on.
    public let port: UInt16
    private let address: LoopbackConfiguration.Address
    private let services: LoopbackServices
    private let thread: LoopbackThread

    /// Starts a server that responds from its queue.
    public convenience init(_ configuration: LoopbackConfiguration = .init()) throws(LoopbackServerError) {
        try self.init(configuration, answering: .none)
    }

    /// Starts a server with a handler, which runs on the server's thread and must be fast.
    ///
    /// `early` is called first, after the request head, so its responses can ignore or interrupt the body. If it
    /// returns `nil`, the handler is called.
    public convenience init(
        _ configuration: LoopbackConfiguration = .init(),
        early: (@Sendable (LoopbackRequest) -> LoopbackResponse?)? = nil,
        handler: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse
    ) throws(LoopbackServerError) {
        try self.init(configuration, answering: .immediate(handler), early: early)
    }

    /// Starts a server with an asynchronous handler, which is canceled when its client disconnects.
    public convenience init(
        _ configuration: LoopbackConfiguration = .init(),
        asyncHandler: @escaping @Sendable @concurrent (LoopbackRequest) async -> LoopbackResponse
    ) throws(LoopbackServerError) {
        try self.init(configuration, answering: .suspending(asyncHandler))
    }

    private init(
        _ configuration: LoopbackConfiguration,
        answering handler: ResponseSource.Handler,
        early: (@Sendable (LoopbackRequest) -> LoopbackResponse?)? = nil
    ) throws(LoopbackServerError) {
        let mailbox = try LoopbackMailbox()
        let services = LoopbackServices(
            configuration: configuration,
            responses: ResponseSource(handler, early: early),
            log: LoopbackLog(limit: configuration.requestRecordingLimit),
            mailbox: mailbox
        )
        let listener = try LoopbackSocket.listening(configuration)
        do throws(LoopbackServerError) {
            thread = try LoopbackThread { LoopbackLoop(listener, services).run() }
        } catch {
            listener.close()
            throw error
        }
        self.services = services
        port = listener.port
        address = configuration.address
    }

    deinit { stop() }

    /// The server's origin, such as `http://127.0.0.1:49152`.
    public var url: URL {
        var components = URLComponents()
        components.scheme = "http"
        components.host = address == .ipv4 ? "127.0.0.1" : "[::1]"
        components.port = Int(port)
        guard let url = components.url else { preconditionFailure("A host and a port make a URL") }
        return url
    }

    /// Appends responses to the queue.
    public func enqueue(_ responses: LoopbackResponse...) { services.responses.enqueue(responses) }

    /// Appends responses to the queue.
    public func enqueue(_ responses: [LoopbackResponse]) { services.responses.enqueue(responses) }

    /// The number of queued responses.
    public var queuedResponseCount: Int { services.responses.queued }

    /// Closes all connections, releases the port, descriptors and thread, and returns when this is done.
    ///
    /// You can call it repeatedly. It waits for a running handler, but returns immediately when called from within one.
    public func stop() {
        services.mailbox.post(.stop)
        thread.join()
    }

    // MARK: Recorded events

    /// All recorded events.
    public var record: LoopbackRecord { services.log.record }

    /// The requests with a complete head, in order of arrival.
    public var requests: [LoopbackRequest] { record.requests }

    /// The number of accepted connections.
    public var acceptedConnections: Int { record.acceptedConnections }

    /// The number of open connections.
    public var openConnections: Int { record.openConnections }

    /// Waits until the record satisfies a condition. Throws `CancellationError` when canceled, or if the server stops
    /// first.
    @discardableResult
    public func wait(until condition: @Sendable (LoopbackRecord) -> Bool) async throws -> LoopbackRecord {
        try await services.log.wait { condition($0) ? $0 : nil }
    }

    /// Waits until the given number of requests have ended, and returns all requests.
    @discardableResult
    public func requests(atLeast count: Int) async throws -> [LoopbackRequest] {
        try await wait { $0.finishedRequestCount >= count }.requests
    }

    /// Waits for the first matching request and returns it when its head has arrived.
    public func request(
        where matches: @Sendable (LoopbackRequest) -> Bool
    ) async throws -> LoopbackRequest {
        try await services.log.wait { $0.requests.first(where: matches) }
    }

    // MARK: Interfering

    /// Closes or resets all current connections.
    public func closeConnections(_ fault: LoopbackFault = .close) {
        services.mailbox.post(.closeConnections(fault))
    }

    /// Stops accepting connections. New ones wait in the system's backlog until it is full.
    public func pauseAccepting() { services.mailbox.post(.accepting(false)) }

    /// Accepts connections again, starting with those in the backlog.
    public func resumeAccepting() { services.mailbox.post(.accepting(true)) }
}
