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

/// The context of an exchange: everything a transport needs besides the request.
public struct TransportContext: Sendable {
    /// The order in which requests leave a queue.
    public enum Priority: Int, Hashable, Sendable, Comparable {
        /// The request leaves the queue after those with a higher priority.
        case low
        /// The default priority.
        case normal
        /// The request leaves the queue before those with a lower priority.
        case high

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

        /// The priority of a call that does not set one: low below the default priority of tasks, and high above it.
        ///
        /// A thread without a task is `.normal`.
        public static var ofCurrentTask: Priority {
            let priority = Task.currentPriority
            if priority.rawValue == 0 { return .normal }
            return priority < .medium ? .low : priority > .medium ? .high : .normal
        }
    }

    /// The number of the attempt, from 1.
    public var attempt: Int
    /// Receives the events of the exchange; `nil` without observers.
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

    /// The time until the call's deadline; `nil` when it has none.
    public var timeLeft: Duration? { deadline?.timeLeft }

    /// Whether the call's deadline has passed.
    package var isLate: Bool { deadline?.timeLeft == .zero }

    /// Reports that the request waits in a queue: the timeout does not run until `admitted()`.
    public func queued() {
        timeout?.suspend()
        observation?.queued()
    }

    /// Reports that the request has left every queue and is sent now: the timeout starts.
    public func admitted() {
        timeout?.start()
        observation?.admitted()
    }

    /// Reports the same for a transport that reports with `sends()` when it has a connection.
    func connects() {
        timeout?.start(.connect)
        observation?.admitted()
    }

    /// Reports that bytes of the request can be sent.
    func sends() { timeout?.spend(on: .server) }

    /// Reports that the request has left every queue and is answered at once: no timeout starts.
    ///
    /// A timer that a mock does not need would be the next sleeper of a test's clock.
    package func admittedWithoutTimeout() {
        sends()
        observation?.admitted()
    }

    /// The request's body is read before the request is sent: the timeout limits the wait for its bytes.
    func readingBegan() { timeout?.start(nil) }

    /// The request's body was read. The timeout does not run until `admitted()`.
    func readingEnded() { timeout?.suspend() }

    /// The platform may hold back the head of a stream: no timeout runs until `headArrived()`.
    func headIsHeldBack() { timeout?.hold() }

    /// The head of a response that may have been held back arrived: the timeout starts.
    func headArrived() { timeout?.start() }

    /// Reports that bytes of the exchange were sent or received: the timeout starts again.
    ///
    /// The timeout of a transport that reports no activity limits the whole exchange.
    public func reportActivity() { timeout?.restart() }

    /// Registers an action for the moment at which the timeout or the call's deadline passes.
    ///
    /// The action is performed once, on an arbitrary thread, or at once if that moment has passed. The transport can
    /// then throw any error; the engine knows the reason.
    public func onInterruption(_ action: @escaping @Sendable () -> Void) { timeout?.onExpiry(action) }

    /// The error of an exchange that the timeout or the deadline has ended.
    func interruption(during phase: TransportFailure.TimeoutPhase) -> NetworkError? {
        timeout?.error(during: phase)
    }

    /// The reader of a streamed body starts to wait for bytes.
    func readerBeganWaiting() { timeout?.readerBeganWaiting() }

    /// The reader of a streamed body has bytes, or has stopped reading.
    func readerEndedWaiting() { timeout?.readerEndedWaiting() }

    /// The exchange of a streamed body is over.
    func streamEnded() { timeout?.finish() }

    /// The part of a call in the refresh of a credential.
    enum Refresh: Sendable {
        case none
        /// A refresh closure made the call, with any client.
        case inside
        /// A `RefreshContext` made the call. Token refreshers do not act on it.
        case marked
    }

    /// What all exchanges of a call share, in one object: each step of a call copies its context.
    package struct Values: Sendable {
        package var streamsBody = false
        package var limits = TransferLimits()
        package var priority = Priority.normal
        var refresh = Refresh.none
        var progress: (@Sendable (TransferProgress) -> Void)?
        /// The moment at which the call ends.
        package var deadline: Deadline?
        /// Whether the engine follows redirects. A transport then returns a redirect with its head and drops the body.
        package var followsRedirects = false
        /// Whether the engine set the request's `Accept-Encoding`. A transport then still decodes the body.
        var choosesCoding = false
        /// How long the reader of a streamed body waits for bytes.
        var streamTimeout = StreamTimeout.standard
        /// Whether a streamed exchange keeps its permit and the call's deadline until its body has arrived. Otherwise
        /// it returns the permit with its head, because its reader may take any time.
        package var keepsPermit = false
        /// The protocol that the exchange asks for in place of HTTP; `nil` for an ordinary exchange.
        var upgrade: (any UpgradeOffer)?
        /// Refuses requests that must not leave any more, such as those of a user who has signed out while they waited.
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
    /// Whether the body is read while it arrives.
    ///
    /// A transport that supports this returns a response with a 2xx status as soon as its head arrives, with a
    /// `ResponseBody.stream`. From then on the exchange does not count against a limit of concurrent requests. A body
    /// in memory or in a file is accepted, too.
    public var streamsBody: Bool {
        get { terms.values.streamsBody }
        set { terms.values.streamsBody = newValue }
    }
    /// The maximum sizes of the response.
    public var limits: TransferLimits {
        get { terms.values.limits }
        set { terms.values.limits = newValue }
    }
    /// The order in which the request leaves a queue.
    public var priority: Priority {
        get { terms.values.priority }
        set { terms.values.priority = newValue }
    }
    /// Whether the request refreshes a credential that other requests wait for. It is sent before all of them.
    public var isRefresh: Bool {
        get { terms.values.refresh != .none }
        set { terms.values.refresh = newValue ? .inside : .none }
    }
    /// The part of the call in the refresh of a credential.
    var refresh: Refresh { terms.values.refresh }
    package var deadline: Deadline? { terms.values.deadline }
    /// Receives the progress of the exchange, on an arbitrary thread; `nil` if it is not observed.
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
    /// Sends a request, unless it must not leave any more. For a transport without an `Exchange`.
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
