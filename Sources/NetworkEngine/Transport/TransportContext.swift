/// How long the reader of a streamed body waits for bytes.
package enum StreamTimeout: Sendable {
    /// The request's timeout.
    case standard
    case limited(Duration)
    case unlimited

    package func duration(standard: Duration) -> Duration? {
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
    }

    /// Whether the body is read while it arrives.
    ///
    /// A transport that supports this returns a response with a 2xx status as soon as its head arrives, with a
    /// `ResponseBody.stream`. From then on the exchange does not count against a limit of concurrent requests. A body
    /// in memory or in a file is accepted, too.
    public var streamsBody: Bool
    /// The maximum sizes of the response.
    public var limits: TransferLimits
    /// The order in which the request leaves a queue.
    public var priority: Priority
    /// Whether the request refreshes a credential that other requests wait for. It is sent before all of them.
    public var isRefresh: Bool
    /// The number of the attempt, from 1.
    public var attempt: Int
    /// Receives the progress of the exchange, on an arbitrary thread; `nil` if it is not observed.
    public var progress: (@Sendable (TransferProgress) -> Void)?
    /// Whether the engine follows redirects. A transport then returns a redirect with its head and drops the body.
    package var followsRedirects = false
    /// Whether the engine set the request's `Accept-Encoding`. A transport then still decodes the body.
    package var choosesCoding = false
    /// How long the reader of a streamed body waits for bytes.
    package var streamTimeout = StreamTimeout.standard
    /// Whether a streamed exchange keeps its permit until its body has arrived. Otherwise it returns the permit with
    /// its head, because its reader may take any time.
    package var keepsPermit = false
    /// Receives the events of the exchange; `nil` without observers.
    package var observation: ExchangeObservation?
    private var deadline: Deadline?
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
        self.streamsBody = streamsBody
        self.limits = limits
        self.priority = priority
        self.isRefresh = isRefresh
        self.attempt = attempt
        self.progress = progress
    }

    /// The same context, for an exchange with a timeout and a deadline.
    package func limited(by timeout: ExchangeTimeout, until deadline: Deadline?) -> TransportContext {
        var context = self
        context.deadline = deadline
        context.timeout = timeout
        return context
    }

    /// The time until the call's deadline; `nil` when it has none.
    public var timeLeft: Duration? { deadline?.timeLeft }

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

    /// Reports that the request has left every queue and is answered at once: no timeout starts.
    ///
    /// A timer that a mock does not need would be the next sleeper of a test's clock.
    package func admittedWithoutTimeout() { observation?.admitted() }

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
    package func interruption(during phase: TransportFailure.TimeoutPhase) -> NetworkError? {
        timeout?.error(during: phase)
    }

    /// The reader of a streamed body starts to wait for bytes.
    package func readerBeganWaiting() { timeout?.readerBeganWaiting() }

    /// The reader of a streamed body has bytes, or has stopped reading.
    package func readerEndedWaiting() { timeout?.readerEndedWaiting() }

    /// The exchange of a streamed body is over.
    package func streamEnded() { timeout?.finish() }
}
