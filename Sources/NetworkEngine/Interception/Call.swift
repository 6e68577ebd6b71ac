package import Foundation

/// The state that a call's attempts and exchanges share. It is created with the request and does not change.
package final class Call: Sendable {
    package let options: CallOptions

    package init(_ options: CallOptions) { self.options = options }
}

/// The facts of a call, each in one place.
package struct CallOptions: Sendable {
    var id: RequestID
    package var target: (any TargetType)?
    /// The base URL of the request; `nil` for the target's own.
    package var base: URL?
    /// The headers that the configuration added to the request.
    package var commonHeaders = HTTPHeaders()
    var validation: ResponseValidation
    /// The initial context of each exchange of the call. It contains the deadline and how the body is delivered.
    package var transport: TransportContext
    /// Whether the call is one step of a larger call. Steps differ in their content.
    var isStep = false
    /// The files for response bodies, one per exchange; `nil` if bodies are kept in memory.
    package var files: DownloadSession?
    /// The values that interceptors store; `nil` without interceptors.
    package var storage: CallStorage?
    /// Whether each exchange enforces the deadline itself, because the call has no timer.
    package var exchangesKeepDeadline = false
    /// The maximum number of attempts. A token replay does not count.
    package var attemptLimit = Int.max
    /// The configuration that the exchanges depend on.
    package var sharingKey = SharingKey()
    /// The timers of the clock, for hooks that wait until the deadline.
    package var timers: TimerQueue?
    /// Makes the calls that refresh a credential for this call.
    var refreshExecutor: (any RefreshExecutor)?
    /// Delivers the reports that `transport.progress` receives, until the call ends.
    var progress: ProgressFeed?
    /// Owns the call's events, if the call is ended by code outside the engine.
    var observedCall: ObservedCall?
    /// Posts the call's events; `nil` without observers.
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
