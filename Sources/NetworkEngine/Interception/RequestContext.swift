public import Foundation

/// Information about a call for interceptors.
public struct RequestContext: Sendable {
    /// The state that all attempts of a call share.
    package final class Call: Sendable {
        package let id: RequestID
        package let target: (any TargetType)?
        /// The base that the URL was made from; `nil` for the target's own.
        package let base: URL?
        /// The headers that the configuration added to the request.
        package let commonHeaders: HTTPHeaders
        package let timeLeft: TimeLeft
        /// The context that each exchange of the call starts with.
        package let transport: TransportContext
        /// The configuration that the exchanges depend on.
        package let sharingKey: SharingKey
        /// The files for response bodies, one per exchange; `nil` if bodies stay in memory.
        package let files: DownloadSession?
        /// The maximum number of attempts. A token replay does not count.
        package let attemptLimit: Int
        /// Whether a `RefreshContext` made the call. Token refreshers do not act on it.
        package let isMarkedAsRefresh: Bool
        /// The values that interceptors store; `nil` without interceptors.
        package let storage: CallStorage?
        /// Makes the calls that refresh a credential for this call.
        package let refreshExecutor: (any RefreshExecutor)?
        /// The timers of the clock, for hooks that wait until the deadline.
        package let timers: TimerQueue?
        /// Whether each exchange ends at the deadline by itself, because the call has no timer.
        package let exchangesKeepDeadline: Bool
        /// Posts the events of the call; `nil` without observers.
        package let observation: CallObservation?

        package init(
            id: RequestID,
            target: (any TargetType)?,
            base: URL? = nil,
            commonHeaders: HTTPHeaders = HTTPHeaders(),
            timeLeft: TimeLeft,
            transport: TransportContext,
            sharingKey: SharingKey = SharingKey(),
            files: DownloadSession? = nil,
            attemptLimit: Int = .max,
            isMarkedAsRefresh: Bool = false,
            storage: CallStorage? = nil,
            refreshExecutor: (any RefreshExecutor)? = nil,
            timers: TimerQueue? = nil,
            exchangesKeepDeadline: Bool = false,
            observation: CallObservation? = nil
        ) {
            self.id = id
            self.target = target
            self.base = base
            self.commonHeaders = commonHeaders
            self.timeLeft = timeLeft
            self.transport = transport
            self.sharingKey = sharingKey
            self.files = files
            self.attemptLimit = attemptLimit
            self.isMarkedAsRefresh = isMarkedAsRefresh
            self.storage = storage
            self.refreshExecutor = refreshExecutor
            self.timers = timers
            self.exchangesKeepDeadline = exchangesKeepDeadline
            self.observation = observation
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

    /// Creates a context for tests of interceptors.
    ///
    /// - Parameter baseURL: the base that the configuration chose; by default the target's.
    public init(
        requestID: RequestID = RequestID(),
        attempt: Int = 1,
        target: (any TargetType)? = nil,
        timeLeft: Duration? = nil,
        baseURL: URL? = nil
    ) {
        let limit = timeLeft.map(TimeLeft.fixed) ?? .unlimited
        call = Call(
            id: requestID,
            target: target,
            base: baseURL,
            timeLeft: limit,
            transport: TransportContext(),
            storage: CallStorage()
        )
        self.attempt = attempt
    }

    package init(call: Call, attempt: Int) {
        self.call = call
        self.attempt = attempt
    }

    /// The identifier of the call, equal for all its attempts.
    public var requestID: RequestID { call.id }
    /// The target of the call; `nil` for a request without a target.
    public var target: (any TargetType)? { call.target }
    /// The base of the call's URL: the target's, unless the configuration replaces it; `nil` without a target.
    ///
    /// Use its origin, not the target's, to decide whether a request gets a secret.
    public var baseURL: URL? { call.base ?? call.target?.baseURL }
    /// Whether the call needs a credential.
    public var authorization: AuthorizationRequirement { call.target?.authorization ?? .required }
    /// Whether the call is part of a credential refresh. Such a call must not wait for calls that wait for the refresh.
    ///
    /// This is the case for calls through a `RefreshContext`, and for calls that a refresh closure makes with any
    /// client.
    public var isRefresh: Bool { call.transport.isRefresh }
    /// Whether the engine makes no further attempt, except for a token replay.
    public var isLastAttempt: Bool { countedAttempt >= call.attemptLimit }
    /// Whether the caller reads the body as it arrives.
    package var isStreaming: Bool { call.transport.streamsBody }
    /// The attempt number without token replays.
    package var countedAttempt: Int { attempt - (call.storage?.replays ?? 0) }

    /// Returns the request without the configuration's headers, to find a credential that its author has set.
    package func withoutCommonHeaders(_ request: HTTPRequest) -> HTTPRequest {
        if call.commonHeaders.isEmpty { return request }
        var request = request
        request.headers.removeAll(in: call.commonHeaders)
        return request
    }

    /// Waits for a value until the call's deadline; returns `nil` at the deadline.
    package func value<Value>(of shot: OneShot<Value>) async throws(CancellationError) -> Value? {
        try await shot.wait(until: call.deadline, on: call.timers)
    }

    /// The time until the call's deadline; `nil` without a deadline.
    public var timeLeft: Duration? {
        switch call.timeLeft {
        case .unlimited: nil
        case .fixed(let duration): duration
        case .until(let deadline): deadline.timeLeft
        }
    }
}

/// Makes the calls that refresh a credential, on the engine of the call that needs it.
package protocol RefreshExecutor: AnyObject, Sendable {
    /// Sends a request marked as a refresh, so that it does not wait for the credential.
    func refreshResponse(to request: HTTPRequest) async throws(NetworkError) -> HTTPResponse

    /// Calls a target, marked as a refresh, and decodes the response.
    func refreshValue<Value: Decodable & Sendable>(
        of target: any TargetType,
        as type: Value.Type
    ) async throws(NetworkError) -> Value
}
