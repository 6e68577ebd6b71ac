import Foundation

/// What a call has besides its request and its decoding.
public struct CallSettings: Sendable {
    /// Receives the progress of the transfer, on an arbitrary thread.
    public var progress: (@Sendable (TransferProgress) -> Void)?

    /// What the body of the request must be fit for.
    var use = RequestBuilder.Use.request
    /// What the steps of a call share, if it has several.
    package var session: CallSession?
    /// Whether the request is one of several of a call. A mock answers such a call at once, without the change.
    package var isStep = false
    /// The responses that a step accepts; `nil` for those of the target.
    package var validation: ResponseValidation?
    /// The time that the reader of a streamed body waits for bytes.
    package var streamTimeout = StreamTimeout.standard
    /// Changes the request before it is validated.
    package var change: (@Sendable (inout HTTPRequest, RequestRules) throws(NetworkError) -> Void)?
    /// Receives the error of the call from before the mapping.
    package var onFailure: (@Sendable (NetworkError) -> Void)?

    /// Creates settings.
    public init(progress: (@Sendable (TransferProgress) -> Void)? = nil) { self.progress = progress }

    package init(_ use: RequestBuilder.Use, progress: (@Sendable (TransferProgress) -> Void)? = nil) {
        (self.use, self.progress) = (use, progress)
    }

    /// The settings of a call that also reports to the listeners of its handle.
    func reporting(to reports: ProgressReports) -> CallSettings {
        var settings = self
        settings.progress = { [progress] report in
            reports.report(report)
            progress?(report)
        }
        return settings
    }
}

/// What the steps of one call share: the connections of an event stream, or a request and the decoding by its caller.
package final class CallSession: Sendable {
    package struct State: Sendable {
        /// The values of interceptors, such as the session of the user.
        let storage: CallStorage?
        /// The base of the URL, or the reason why it is not valid.
        let base: Result<URL, NetworkError>?
        /// The call that all steps belong to; `nil` without observers.
        let call: ObservedCall?
        /// The deadline of all steps; `nil` if there is none, and if each step has its own.
        let deadline: Deadline?
        package let timebase: Timebase
        fileprivate let sessions: [any SessionInterceptor]
    }

    private let state = Locked<State?>(nil)
    private let sharesOnlyStorage: Bool
    private let sharesDeadline: Bool

    /// Creates the session of steps that begin later.
    ///
    /// - Parameters:
    ///   - sharesOnlyStorage: whether each step is a call of its own, and only belongs to the same user.
    ///   - sharesDeadline: whether all steps have the deadline of the first one. Otherwise each step has its own.
    package init(sharesOnlyStorage: Bool = false, sharesDeadline: Bool = false) {
        self.sharesOnlyStorage = sharesOnlyStorage
        self.sharesDeadline = sharesDeadline
    }

    /// The state, after the first step has begun.
    package var current: State? { state.withLock { $0 } }

    /// Whether a call that begins now is of the same user as the steps.
    package var isOfCurrentUser: Bool {
        guard let current, let storage = current.storage else { return true }
        return current.sessions.allSatisfy { $0.isOfSameUser(as: storage) }
    }

    /// Whether the user of the steps has signed out. The first sign-in changes nothing.
    package var hasEnded: Bool {
        guard let current, let storage = current.storage else { return false }
        return current.sessions.contains { $0.hasEnded(storage) }
    }

    /// The observed call; `nil` without observers.
    package var call: ObservedCall? { state.withLock { $0?.call } }

    /// Returns the state for a step. The first step makes it.
    func state(of target: (any TargetType)?, on engine: RequestEngine) -> State {
        if let current { return current }
        let state = State(
            storage: engine.newStorage,
            base: sharesOnlyStorage ? nil : target.map(engine.builder.rules.baseResult),
            call: sharesOnlyStorage ? nil : ObservedCall(engine.observers),
            deadline: sharesDeadline ? engine.deadlineFromNow(for: target) : nil,
            timebase: engine.timers.timebase,
            sessions: engine.sessions
        )
        return self.state.withLock { current in
            current = current ?? state
            return current ?? state
        }
    }
}
