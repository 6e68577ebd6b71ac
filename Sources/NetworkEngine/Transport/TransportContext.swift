public import Foundation

/// How long the reader of a streamed body may wait for bytes.
package enum SilenceLimit: Sendable {
    /// For the request's timeout.
    case timeout
    case limited(Duration)
    case unlimited
}

/// What a transport needs to know about an exchange besides the request itself.
public struct TransportContext: Sendable {
    /// Where the body of the response goes.
    public enum Destination: Hashable, Sendable {
        case memory
        /// A new file at this place, made by the transport, readable by nobody else.
        case file(URL)
        /// The reader: for a 2xx the response is returned when its head is there, with a body that is still coming. Any other
        /// body goes to memory. From the head on the exchange should not count against a limit for concurrent requests.
        case stream
    }

    /// Who goes first where requests have to wait.
    public enum Priority: Int, Hashable, Sendable, Comparable {
        case low, normal, high

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    public var destination: Destination
    public var limits: TransferLimits
    public var priority: Priority
    /// Whether the request renews a credential that others wait for; it goes before all of them.
    public var isRefresh: Bool
    public var attempt: Int
    public var progress: (@Sendable (TransferProgress) -> Void)?
    /// Whether the engine follows redirects. A transport then returns a redirect with its head and drops the body.
    package var followsRedirects = false
    /// Whether the engine set the request's `Accept-Encoding`. A transport then decodes the body all the same.
    package var choosesCoding = false
    /// How long the reader of a streamed body may wait for bytes.
    package var silence = SilenceLimit.timeout
    /// Whether a streamed exchange keeps its place among the requests to its host until its body has come. Else it gives
    /// the place back with the head: how long the rest takes is for a reader to decide, whom nobody can hurry.
    package var keepsPlace = false
    private var deadline: Deadline?
    private var hand: (any ExchangeHand)?

    public init(
        destination: Destination = .memory,
        limits: TransferLimits = TransferLimits(),
        priority: Priority = .normal,
        isRefresh: Bool = false,
        attempt: Int = 1,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) {
        self.destination = destination
        self.limits = limits
        self.priority = priority
        self.isRefresh = isRefresh
        self.attempt = attempt
        self.progress = progress
    }

    /// The same context in an engine's hand.
    package func held(by hand: any ExchangeHand, until deadline: Deadline?) -> TransportContext {
        var context = self
        context.deadline = deadline
        context.hand = hand
        return context
    }

    /// The same context in the hand of somebody in between, who passes on what it is told.
    package func relayed(by hand: any ExchangeHand) -> TransportContext {
        var context = self
        context.hand = hand
        return context
    }

    /// What is left of the call's time; `nil` when it has no deadline.
    public var timeLeft: Duration? { deadline?.timeLeft }

    /// Reports that the request has left every queue and goes on the wire now: the timeout starts.
    public func admitted() { hand?.startTime() }

    /// Reports that bytes of the exchange were sent or received: the timeout starts again.
    ///
    /// The timeout of a transport that reports no activity limits the whole exchange.
    public func reportActivity() { hand?.bytesMoved() }

    /// Registers what to do when the exchange must stop because its timeout or the call's deadline has passed.
    ///
    /// Called at most once, on an arbitrary thread, at once if that moment has passed. The transport then throws
    /// whatever it likes; the engine knows why.
    public func onInterruption(_ action: @escaping @Sendable () -> Void) { hand?.onInterruption(action) }

    /// The reader of a streamed body waits for bytes from here on: the time it may wait starts.
    package func silenceBegan() { hand?.silenceBegan() }

    /// The reader of a streamed body waits no more.
    package func silenceEnded() { hand?.silenceEnded() }

    /// The exchange of a streamed body is over.
    package func streamEnded() { hand?.streamEnded() }
}
