package import Foundation

/// One call: what its attempts and exchanges share. It is made with the request, and does not change.
package final class Call: Sendable {
    package let options: CallOptions

    package init(_ options: CallOptions) { self.options = options }
}

/// The facts of a call, each in one place.
package struct CallOptions: Sendable {
    var id: RequestID
    package var target: (any TargetType)?
    /// The base that the request is made from; `nil` for the target's own.
    package var base: URL?
    /// The headers that the configuration added to the request.
    package var commonHeaders = HTTPHeaders()
    var validation: ResponseValidation
    /// The context that each exchange of the call starts with. It has the deadline, and says how the body is delivered.
    package var transport: TransportContext
    /// Whether the call is a step of one with several, which differ in their content.
    var isStep = false
    /// The files for response bodies, one per exchange; `nil` if bodies stay in memory.
    package var files: DownloadSession?
    /// The values that interceptors store; `nil` without interceptors.
    package var storage: CallStorage?
    /// Whether each exchange ends at the deadline by itself, because the call has no timer.
    package var exchangesKeepDeadline = false
    /// The maximum number of attempts. A token replay does not count.
    package var attemptLimit = Int.max
    /// The configuration that the exchanges depend on.
    package var sharingKey = SharingKey()
    /// The timers of the clock, for hooks that wait until the deadline.
    package var timers: TimerQueue?
    /// Makes the calls that refresh a credential for this call.
    var refreshExecutor: (any RefreshExecutor)?
    /// Delivers the reports of `transport.progress`, until the call ends.
    var progress: ProgressFeed?
    /// The owner of the call's events, if other code than the engine ends the call.
    var observedCall: ObservedCall?
    /// Posts the events of the call; `nil` without observers.
    package var observation: CallObservation?

    package init(
        id: RequestID = RequestID(),
        target: (any TargetType)? = nil,
        transport: TransportContext = TransportContext()
    ) {
        self.id = id
        self.target = target
        self.transport = transport
        validation = target?.validation ?? .success
    }
}

/// Makes the calls that refresh a credential, on the engine of the call that needs it.
protocol RefreshExecutor: AnyObject, Sendable {
    /// Sends a request marked as a refresh, so that it does not wait for the credential.
    func refreshResponse(to request: HTTPRequest) async throws(NetworkError) -> HTTPResponse

    /// Calls a target, marked as a refresh, and decodes the response.
    func refreshValue<Value: Decodable & Sendable>(
        of target: any TargetType,
        as type: Value.Type
    ) async throws(NetworkError) -> Value
}
