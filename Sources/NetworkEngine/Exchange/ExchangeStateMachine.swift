/// The states of one exchange with a server.
///
/// A pure value: events go in, and each returns the next action. The owner holds it in a lock and acts after the lock
/// is released. The driver keeps the state of its connection, task or handle elsewhere.
package struct ExchangeStateMachine: Sendable {
    /// The options from the exchange's context.
    package struct Rules: Hashable, Sendable {
        /// The maximum size of a collected body. A streamed body has no limit here.
        var bodyLimit: Int64
        /// Whether a successful response is returned with its head, while the body is still arriving.
        var streams: Bool
        /// Whether a redirect succeeds with its head, and its body is dropped.
        var followsRedirects: Bool

        init(bodyLimit: Int64 = .max, streams: Bool = false, followsRedirects: Bool = false) {
            self.bodyLimit = bodyLimit
            self.streams = streams
            self.followsRedirects = followsRedirects
        }
    }

    /// The result, before it becomes a response or an error.
    enum Outcome: Hashable, Sendable {
        case success
        case aborted(AbortReason, during: TransportFailure.TimeoutPhase)
        /// The driver reported an error.
        case failed
        /// The exchange ended without an error, but without a response.
        case noResponse
        /// Fewer bytes arrived than the head announced.
        case truncated
    }

    /// What the driver does with a response after its head has arrived.
    package enum HeadAction: Hashable, Sendable {
        /// An interim response, or one that arrives after the end.
        case ignore
        /// The body is collected.
        case collect
        /// The response is returned now, and the body is streamed.
        case stream
        /// The exchange succeeds now. The driver may receive the rest of the body, so that its connection can be
        /// reused.
        case drain
        case abort(AbortReason)
    }

    /// What the driver does with bytes that have arrived.
    enum BytesAction: Hashable, Sendable {
        case keep
        /// The bytes are dropped, and more may follow.
        case drop
        /// The driver closes the connection.
        case stop
        case abort(AbortReason)
    }

    private enum Stage { case new, queued, connecting, requesting, receiving, draining, ended }

    private let rules: Rules
    private var stage = Stage.new
    /// The number of bytes of a redirect's body that have arrived.
    private var drained: Int64 = 0
    private static let drainLimit: Int64 = 64 << 10
    /// Whether the response was returned with its head.
    private(set) var isStreaming = false
    private(set) var head: ResponseHead?
    /// The number of decoded body bytes so far.
    private(set) var received: Int64 = 0

    init(_ rules: Rules = Rules()) {
        self.rules = rules
    }

    /// Whether the outcome is decided.
    var isOver: Bool { stage == .ended || stage == .draining }

    /// Whether the response has a 2xx status.
    var isSuccessful: Bool { (200..<300).contains(head?.statusCode ?? 0) }

    private var phase: TransportFailure.TimeoutPhase {
        switch stage {
        case .new, .queued: .queue
        case .connecting: .connect
        case .requesting: .response
        case .receiving, .draining, .ended: .body
        }
    }

    // MARK: Before the response

    /// Called when a task waits for the result.
    ///
    /// - Returns: whether to start the driver; `false` if the exchange was already aborted.
    mutating func begin() -> Bool {
        guard stage == .new else { return false }
        stage = .queued
        return true
    }

    /// Called when the exchange has a permit.
    ///
    /// - Returns: whether it continues; `false` if it was already aborted.
    mutating func admit() -> Bool {
        if stage == .queued { stage = .connecting }
        return !isOver
    }

    /// Called before sending. From here on the server may receive bytes of the request.
    ///
    /// - Returns: whether the request may be sent; `false` if the exchange was already aborted.
    mutating func send() -> Bool {
        if stage == .connecting { stage = .requesting }
        return !isOver
    }

    // MARK: The response

    /// Records the head of a response.
    mutating func receive(_ head: ResponseHead) -> HeadAction {
        guard !isOver else { return .ignore }
        if head.statusCode == 101 { return .abort(.violation("status 101 although no upgrade was asked for")) }
        guard head.statusCode >= 200 else { return .ignore }
        if isStreaming { return .abort(.violation("a second response inside the body of the first")) }
        self.head = head
        stage = .receiving
        received = 0
        if let fault = head.fault { return .abort(.violation(fault)) }
        if rules.followsRedirects, head.isRedirect, head.hasBody, head.bodyLength != 0 {
            stage = .draining
            return .drain
        }
        if let fault = head.codingFault { return .abort(.contentCoding(fault)) }
        isStreaming = rules.streams && isSuccessful
        if isStreaming { return .stream }
        if let length = head.bodyLength, length > rules.bodyLimit {
            return .abort(.bodyTooLarge(limit: rules.bodyLimit))
        }
        return .collect
    }

    /// The maximum number of body bytes.
    var bodyLimit: Int64 { isStreaming ? .max : rules.bodyLimit }

    /// Records bytes of the body.
    mutating func receive(count: Int) -> BytesAction {
        switch stage {
        case .receiving:
            received += Int64(count)
            return received > bodyLimit ? .abort(.bodyTooLarge(limit: bodyLimit)) : .keep
        case .draining:
            drained += Int64(count)
            return drained > Self.drainLimit ? .stop : .drop
        case .new, .queued, .connecting, .requesting, .ended: return .stop
        }
    }

    // MARK: The end

    /// Called when the driver has received everything, or an error.
    ///
    /// - Returns: the outcome, if this event decides it.
    mutating func end(hasFailed: Bool) -> Outcome? {
        guard !isOver else { return nil }
        stage = .ended
        if hasFailed { return .failed }
        guard let head else { return .noResponse }
        if let length = head.bodyLength, received < length { return .truncated }
        return .success
    }

    /// Aborts the exchange.
    ///
    /// - Returns: the outcome, if this event decides it.
    mutating func abort(_ reason: AbortReason) -> Outcome? {
        guard !isOver else { return nil }
        defer { stage = .ended }
        return .aborted(reason, during: phase)
    }
}
