public import Foundation

/// A real HTTP/1.1 server on a loopback port, for tests: answers by queue or handler, and misbehaves on request.
///
/// ```swift
/// let server = try LoopbackServer()
/// server.enqueue(.status(503), .json(#"{"id": 7}"#))
/// // … requests to server.url …
/// #expect(server.requests.map(\.path) == ["/users/7", "/users/7"])
/// ```
/// It listens from `init` to `stop()` or its end of life, on one thread of its own. A request takes the next answer of
/// the queue when its head has come; when the queue is empty the handler is asked, after the body was read; where there
/// is none, the answer is a 404 that says so.
public final class LoopbackServer: Sendable {
    public let port: UInt16
    private let address: LoopbackConfiguration.Address
    private let services: LoopbackServices
    private let thread: LoopbackThread

    /// Starts a server that answers from its queue.
    public convenience init(_ configuration: LoopbackConfiguration = .init()) throws(LoopbackServerError) {
        try self.init(configuration, answering: .none)
    }

    /// Starts a server with a handler, which runs on the server's thread: keep it short.
    ///
    /// `early` is asked first, when no more than the head has come, so that its answers can do without the body or
    /// interrupt it; `nil` leaves the request to the handler.
    public convenience init(
        _ configuration: LoopbackConfiguration = .init(),
        early: (@Sendable (LoopbackRequest) -> LoopbackResponse?)? = nil,
        handler: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse
    ) throws(LoopbackServerError) {
        try self.init(configuration, answering: .immediate(handler), early: early)
    }

    /// Starts a server with a handler that may take its time; it is cancelled when its client goes away.
    public convenience init(
        _ configuration: LoopbackConfiguration = .init(),
        asyncHandler: @escaping @Sendable @concurrent (LoopbackRequest) async -> LoopbackResponse
    ) throws(LoopbackServerError) {
        try self.init(configuration, answering: .suspending(asyncHandler))
    }

    private init(
        _ configuration: LoopbackConfiguration,
        answering handler: LoopbackAnswers.Handler,
        early: (@Sendable (LoopbackRequest) -> LoopbackResponse?)? = nil
    ) throws(LoopbackServerError) {
        let mailbox = try LoopbackMailbox()
        let services = LoopbackServices(
            configuration: configuration,
            answers: LoopbackAnswers(handler, early: early),
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

    /// Adds answers behind those that wait already.
    public func enqueue(_ responses: LoopbackResponse...) { services.answers.enqueue(responses) }

    public func enqueue(_ responses: [LoopbackResponse]) { services.answers.enqueue(responses) }

    /// How many queued answers no request has taken.
    public var queuedResponseCount: Int { services.answers.queued }

    /// Closes everything, gives port, descriptors and thread back, and returns when that is done.
    ///
    /// May be called any number of times. It waits for a handler that runs; from within one it returns at once.
    public func stop() {
        services.mailbox.post(.stop)
        thread.join()
    }

    // MARK: What was seen

    /// Everything that was seen so far.
    public var record: LoopbackRecord { services.log.record }

    /// The requests whose head has come, in that order.
    public var requests: [LoopbackRequest] { record.requests }

    public var acceptedConnections: Int { record.acceptedConnections }

    public var openConnections: Int { record.openConnections }

    /// Waits until the record satisfies a condition; throws `CancellationError` when cancelled, or stopped before that.
    @discardableResult
    public func wait(until condition: @Sendable (LoopbackRecord) -> Bool) async throws -> LoopbackRecord {
        try await services.log.wait { condition($0) ? $0 : nil }
    }

    /// Waits until so many requests have come to an end, and returns all.
    @discardableResult
    public func requests(atLeast count: Int) async throws -> [LoopbackRequest] {
        try await wait { $0.finishedRequestCount >= count }.requests
    }

    /// Waits for the first request that matches, as soon as its head has come.
    public func request(
        where matches: @Sendable (LoopbackRequest) -> Bool
    ) async throws -> LoopbackRequest {
        try await services.log.wait { $0.requests.first(where: matches) }
    }

    // MARK: Interfering

    /// Closes or resets all connections there are.
    public func closeConnections(_ fault: LoopbackFault = .close) {
        services.mailbox.post(.closeConnections(fault))
    }

    /// Accepts no connections from now on: they hang in the system's backlog until that is full.
    public func pauseAccepting() { services.mailbox.post(.accepting(false)) }

    public func resumeAccepting() { services.mailbox.post(.accepting(true)) }
}
