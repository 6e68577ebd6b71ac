/// How long the reader of a streamed body waits for bytes.
package enum StreamTimeout: Sendable {
    /// The request's timeout.
    case standard
    case limited(Duration)
    case unlimited

    func duration(standard: Duration) -> Duration? {
        switch self {
        case .standard: standard
        case .limited(let duration): duration
        case .unlimited: nil
        }
    }
}

/// The context of an exchange: everything that a transport needs in addition to the request.
public struct TransportContext: Sendable {
    /// The order of requests in a queue.
    public enum Priority: Int, Hashable, Sendable, Comparable {
        /// The request leaves the queue after requests with a higher priority.
        case low
        /// The default priority.
        case normal
        /// The request leaves the queue before requests with a lower priority.
        case high

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

        /// The default priority of a call: low below the default task priority, and high above it.
        ///
        /// Without a task, the priority is `.normal`.
        public static var ofCurrentTask: Priority {
            let priority = Task.currentPriority
            if priority.rawValue == 0 { return .normal }
            return priority < .medium ? .low : priority > .medium ? .high : .normal
        }
    }

    /// The number of the attempt, starting with 1.
    public var attempt: Int
    /// Receives the exchange's events; `nil` without observers.
    package var observation: ExchangeObservation?
    private var terms: Boxed<Values>
    private var timeout: ExchangeTimeout?

    /// Creates a context without a deadline and a timeout, for example to test a transport.
    public init(
        streamsBody: Bool = false,
        limits: TransferLimits = TransferLimits(),
        priority: Priority = .normal,
        isRefresh: Bool = false,
        attempt: Int = 1,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) {
        var values = Values()
        (values.streamsBody, values.limits, values.priority) = (streamsBody, limits, priority)
        (values.refresh, values.progress) = (isRefresh ? .inside : .none, progress)
        terms = Boxed(values)
        self.attempt = attempt
    }

    package init(_ values: Values) {
        terms = Boxed(values)
        attempt = 1
    }

    /// The same context, for an exchange with a timeout.
    func limited(by timeout: ExchangeTimeout) -> TransportContext {
        var context = self
        context.timeout = timeout
        return context
    }

    /// The time until the call's deadline; `nil` without a deadline.
    public var timeLeft: Duration? { deadline?.timeLeft }

    /// Whether the call's deadline has passed.
    package var isLate: Bool { deadline?.timeLeft == .zero }

    /// Reports that the request is waiting in a queue: the timeout does not run until `admitted()`.
    public func queued() {
        timeout?.suspend()
        observation?.queued()
    }

    /// Reports that the request has left all queues and is being sent: the timeout starts.
    public func admitted() {
        timeout?.start()
        observation?.admitted()
    }

    /// Reports the same, for a transport that calls `sends()` when it has a connection.
    func connects() {
        timeout?.start(.connect)
        observation?.admitted()
    }

    /// Reports that bytes of the request can be sent.
    func sends() { timeout?.spend(on: .server) }

    /// Reports that the request has left all queues and is answered immediately: no timeout starts.
    ///
    /// A mock doesn't need a timer, which would be the next sleeper of a test clock.
    package func admittedWithoutTimeout() {
        sends()
        observation?.admitted()
    }

    /// Reports that the request body is being read before the request is sent: the timeout limits the wait for its
    /// bytes.
    func readingBegan() { timeout?.start(nil) }

    /// Reports that the request body has been read. The timeout does not run until `admitted()`.
    func readingEnded() { timeout?.suspend() }

    /// Reports that the platform may hold back the head of a stream: no timeout runs until `headArrived()`.
    func headIsHeldBack() { timeout?.hold() }

    /// Reports that a head that may have been held back has arrived: the timeout starts.
    func headArrived() { timeout?.start() }

    /// Reports that bytes of the exchange were sent or received: the timeout restarts.
    ///
    /// If a transport reports no activity, the timeout limits the whole exchange.
    public func reportActivity() { timeout?.restart() }

    /// Registers an action to perform when the timeout expires or the call's deadline passes.
    ///
    /// The action is performed once, on an arbitrary thread, or immediately if the time has already passed. The
    /// transport can then throw any error, because the engine records the reason.
    public func onInterruption(_ action: @escaping @Sendable () -> Void) { timeout?.onExpiry(action) }

    /// The error of an exchange that was ended by the timeout or the deadline.
    func interruption(during phase: TransportFailure.TimeoutPhase) -> NetworkError? {
        timeout?.error(during: phase)
    }

    /// Reports that the reader of a streamed body has started to wait for bytes.
    func readerBeganWaiting() { timeout?.readerBeganWaiting() }

    /// Reports that the reader of a streamed body has received bytes or stopped reading.
    func readerEndedWaiting() { timeout?.readerEndedWaiting() }

    /// Reports that the exchange of a streamed body is over.
    func streamEnded() { timeout?.finish() }

    /// The role of a call in a credential refresh.
    enum Refresh: Sendable {
        case none
        /// A refresh closure made the call, with any client.
        case inside
        /// A `RefreshContext` made the call. Token refreshers do not act on it.
        case marked
    }

    /// What all exchanges of a call share, in one object, because each step of a call copies its context.
    package struct Values: Sendable {
        package var streamsBody = false
        package var limits = TransferLimits()
        package var priority = Priority.normal
        var refresh = Refresh.none
        var progress: (@Sendable (TransferProgress) -> Void)?
        /// The time when the call ends.
        package var deadline: Deadline?
        /// Whether the engine follows redirects. If so, a transport returns a redirect with its head and drops the
        /// body.
        package var followsRedirects = false
        /// Whether the engine set the request's `Accept-Encoding`. If so, a transport still decodes the body.
        var choosesCoding = false
        /// How long the reader of a streamed body waits for bytes.
        var streamTimeout = StreamTimeout.standard
        /// Whether a streamed exchange keeps its permit and the call's deadline until its body has arrived. Otherwise
        /// it returns the permit with its head, because its reader may take any amount of time.
        package var keepsPermit = false
        /// The protocol that the exchange requests instead of HTTP; `nil` for an ordinary exchange.
        var upgrade: (any UpgradeOffer)?
        /// Rejects requests that must no longer be sent, for example if their user has signed out while they waited.
        package var departure: (any Departure)?

        package init() {}
    }

    /// The same context with other values.
    func changed(_ change: (inout Values) -> Void) -> TransportContext {
        var context = self
        change(&context.terms.values)
        return context
    }
}

extension TransportContext {
    /// Whether the caller reads the body while it arrives.
    ///
    /// A transport that supports this returns a response with a 2xx status as soon as its head arrives, with a
    /// `ResponseBody.stream`. From then on the exchange does not count against a limit for concurrent requests. A body
    /// in memory or in a file is also accepted.
    public var streamsBody: Bool {
        get { terms.values.streamsBody }
        set { terms.values.streamsBody = newValue }
    }
    /// The maximum sizes of the response.
    public var limits: TransferLimits {
        get { terms.values.limits }
        set { terms.values.limits = newValue }
    }
    /// The request's order in a queue.
    public var priority: Priority {
        get { terms.values.priority }
        set { terms.values.priority = newValue }
    }
    /// Whether the request refreshes a credential that other requests wait for. It is sent before all of them.
    public var isRefresh: Bool {
        get { terms.values.refresh != .none }
        set { terms.values.refresh = newValue ? .inside : .none }
    }
    /// The call's role in a credential refresh.
    var refresh: Refresh { terms.values.refresh }
    package var deadline: Deadline? { terms.values.deadline }
    /// Receives the progress of the exchange, on an arbitrary thread; `nil` if progress is not observed.
    public var progress: (@Sendable (TransferProgress) -> Void)? {
        get { terms.values.progress }
        set { terms.values.progress = newValue }
    }
    package var followsRedirects: Bool { terms.values.followsRedirects }
    package var choosesCoding: Bool { terms.values.choosesCoding }
    var streamTimeout: StreamTimeout { terms.values.streamTimeout }
    package var keepsPermit: Bool { terms.values.keepsPermit }
    package var departure: (any Departure)? { terms.values.departure }
    package var upgrade: (any UpgradeOffer)? { terms.values.upgrade }
}

extension TransportContext {
    /// Sends a request, unless it must no longer be sent. For a transport without an `Exchange`.
    package func departing<Response>(
        _ request: HTTPRequest,
        _ send: () async throws -> Response
    ) async throws -> Response {
        guard let departure else { return try await send() }
        if let error = departure.begin(request) { throw error }
        defer { departure.end() }
        return try await send()
    }
}
