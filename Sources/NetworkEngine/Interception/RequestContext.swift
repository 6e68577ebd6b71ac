public import Foundation

/// Information about a call for interceptors.
public struct RequestContext: Sendable {
    package let call: Call
    /// The number of the attempt, starting with 1.
    public let attempt: Int

    /// Creates a context for testing interceptors.
    ///
    /// - Parameter baseURL: the base URL that the configuration chose; by default the target's.
    public init(
        requestID: RequestID = RequestID(),
        attempt: Int = 1,
        target: (any TargetType)? = nil,
        timeLeft: Duration? = nil,
        baseURL: URL? = nil
    ) {
        let transport = TransportContext().changed { $0.deadline = timeLeft.map { Deadline(alwaysIn: $0) } }
        var options = CallOptions(id: requestID, target: target, transport: transport)
        options.base = baseURL
        options.storage = CallStorage()
        call = Call(options)
        self.attempt = attempt
    }

    package init(call: Call, attempt: Int) {
        self.call = call
        self.attempt = attempt
    }

    /// The call's identifier, which all its attempts share.
    public var requestID: RequestID { call.options.id }
    /// The call's target; `nil` for a request without a target.
    public var target: (any TargetType)? { call.options.target }
    /// The template of the target's path, such as `/users/{}`, to name spans and metrics; `nil` if it has none.
    public var template: String? { call.options.target?.declaredTemplate }
    /// The call's base URL: the target's, unless the configuration replaces it; `nil` without a target.
    ///
    /// To decide whether a request receives a secret, compare with its origin, not the target's.
    public var baseURL: URL? { call.options.base ?? call.options.target?.baseURL }
    /// Whether the call requires a credential.
    public var authorization: AuthorizationRequirement { call.options.target?.authorization ?? .required }
    /// Whether the call is part of a credential refresh. Such a call must not wait for calls that wait for the refresh.
    ///
    /// This is `true` for calls through a `RefreshContext`, and for calls that a refresh closure makes with any client.
    public var isRefresh: Bool { call.options.transport.isRefresh }
    /// Whether the engine makes no further attempt, except for a token replay.
    public var isLastAttempt: Bool { countedAttempt >= call.options.attemptLimit }
    /// Whether the caller reads the body while it arrives.
    package var isStreaming: Bool { call.options.transport.streamsBody }
    /// Whether the call is served only from the cache, and nothing is sent.
    var usesOnlyCache: Bool { target?.cachePolicy == .cacheOnly }
    /// The attempt number without token replays.
    var countedAttempt: Int { attempt - (call.options.storage?.replays ?? 0) }

    /// Returns the request without the configuration's headers, to find a credential that the caller has set.
    package func withoutCommonHeaders(_ request: HTTPRequest) -> HTTPRequest {
        if call.options.commonHeaders.isEmpty { return request }
        var request = request
        request.headers.removeAll(in: call.options.commonHeaders)
        return request
    }

    /// Waits for a value until the call's deadline. Returns `nil` at the deadline.
    package func value<Value>(of shot: OneShot<Value>) async throws(CancellationError) -> Value? {
        try await shot.wait(until: call.options.transport.deadline, on: call.options.timers)
    }

    /// The time until the call's deadline; `nil` without a deadline.
    public var timeLeft: Duration? { call.options.transport.timeLeft }
}
