/// What an interceptor knows about the call besides the request.
public struct RequestContext: Sendable {
    /// What all attempts of a call share.
    package final class Call: Sendable {
        package let id: RequestID
        package let target: (any TargetType)?
        package let timeLeft: TimeLeft
        /// What every exchange of the call begins with.
        package let transport: TransportContext
        /// What its exchanges depend on besides that.
        package let terms: ExchangeTerms
        /// Where bodies go, each exchange's to a file of its own; `nil` when they stay in memory.
        package let files: DownloadSession?
        /// How many attempts the engine makes, whatever is advised; a token replay does not count.
        package let attemptLimit: Int
        /// Whether it was made by way of a `RefreshContext`, so that no token refresher acts on it.
        package let isMarkedAsRefresh: Bool
        /// What interceptors remember; `nil` where there are none.
        package let notes: CallStorage?
        /// Makes the calls that this one needs.
        package let maker: (any RefreshExecutor)?
        /// The clock's timers, for hooks that wait and keep the deadline themselves.
        package let timers: TimerQueue?
        /// Whether each exchange ends itself at the deadline, because nothing around the call does.
        package let exchangesKeepDeadline: Bool

        package init(
            id: RequestID,
            target: (any TargetType)?,
            timeLeft: TimeLeft,
            transport: TransportContext,
            terms: ExchangeTerms = ExchangeTerms(),
            files: DownloadSession? = nil,
            attemptLimit: Int = .max,
            isMarkedAsRefresh: Bool = false,
            notes: CallStorage? = nil,
            maker: (any RefreshExecutor)? = nil,
            timers: TimerQueue? = nil,
            exchangesKeepDeadline: Bool = false
        ) {
            self.id = id
            self.target = target
            self.timeLeft = timeLeft
            self.transport = transport
            self.terms = terms
            self.files = files
            self.attemptLimit = attemptLimit
            self.isMarkedAsRefresh = isMarkedAsRefresh
            self.notes = notes
            self.maker = maker
            self.timers = timers
            self.exchangesKeepDeadline = exchangesKeepDeadline
        }

        package var deadline: Deadline? {
            if case .until(let deadline) = timeLeft { deadline } else { nil }
        }
    }

    package enum TimeLeft: Sendable {
        case unlimited
        case fixed(Duration)
        case until(Deadline)
    }

    package let call: Call
    /// 1 for the first attempt.
    public let attempt: Int

    /// A context to test interceptors with.
    public init(
        requestID: RequestID = RequestID(),
        attempt: Int = 1,
        target: (any TargetType)? = nil,
        timeLeft: Duration? = nil
    ) {
        let limit = timeLeft.map(TimeLeft.fixed) ?? .unlimited
        call = Call(
            id: requestID,
            target: target,
            timeLeft: limit,
            transport: TransportContext(),
            notes: CallStorage()
        )
        self.attempt = attempt
    }

    package init(call: Call, attempt: Int) {
        self.call = call
        self.attempt = attempt
    }

    /// The same for every attempt of a call.
    public var requestID: RequestID { call.id }
    /// The target that was asked for; `nil` when a request was sent that no target describes.
    public var target: (any TargetType)? { call.target }
    /// Whether a credential is to be applied.
    public var authorization: AuthorizationRequirement { call.target?.authorization ?? .required }
    /// Whether the call is part of the renewal of a credential that others wait for: it must not wait for them.
    ///
    /// It is when it was made by way of a `RefreshContext`, and when a refresh closure made it by whatever client.
    public var isRefresh: Bool { call.transport.isRefresh }
    /// Whether the engine makes no other attempt, whatever is advised, unless a token is replayed.
    public var isLastAttempt: Bool { countedAttempt >= call.attemptLimit }
    /// Whether the body is read while it comes.
    package var isStreaming: Bool { call.transport.streamsBody }
    /// The attempt without the token replays that were granted.
    package var countedAttempt: Int { attempt - (call.notes?.replays ?? 0) }
    /// Waits for a value until the call's time is up; `nil` then.
    package func value<Value>(of shot: OneShot<Value>) async throws(CancellationError) -> Value? {
        try await shot.wait(until: call.deadline, on: call.timers)
    }

    /// What is left until the call's deadline; `nil` when it has none.
    public var timeLeft: Duration? {
        switch call.timeLeft {
        case .unlimited: nil
        case .fixed(let duration): duration
        case .until(let deadline): deadline.timeLeft
        }
    }
}
