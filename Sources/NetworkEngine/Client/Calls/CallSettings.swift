import Foundation

/// The settings of a call, apart from its request and decoding.
public struct CallSettings: Sendable {
    /// Receives the progress of the transfer, on an arbitrary thread.
    public var progress: (@Sendable (TransferProgress) -> Void)?

    /// How the request is used, which decides what its body can be.
    var use = RequestBuilder.Use.request
    /// The state shared by the steps of a call that has several.
    package var session: CallSession?
    /// Whether the request is one step of a larger call. A mock answers a step immediately, without applying `change`.
    package var isStep = false
    /// The responses that a step accepts; `nil` for the target's.
    package var validation: ResponseValidation?
    /// How long the reader of a streamed body waits for bytes.
    package var streamTimeout = StreamTimeout.standard
    /// Changes the request before it is validated.
    package var change: (@Sendable (inout HTTPRequest, RequestRules) throws(NetworkError) -> Void)?
    /// Receives the call's error before it is mapped.
    package var onFailure: (@Sendable (NetworkError) -> Void)?

    /// Creates settings.
    public init(progress: (@Sendable (TransferProgress) -> Void)? = nil) { self.progress = progress }

    package init(_ use: RequestBuilder.Use, progress: (@Sendable (TransferProgress) -> Void)? = nil) {
        (self.use, self.progress) = (use, progress)
    }

    /// Returns settings that also report progress to the handle's listeners.
    func reporting(to reports: ProgressReports) -> CallSettings {
        var settings = self
        settings.progress = { [progress] report in
            reports.report(report)
            progress?(report)
        }
        return settings
    }
}

/// The state shared by the steps of one call: the connections of an event stream, or a request and its caller's
/// decoding.
package final class CallSession: Sendable {
    package struct State: Sendable {
        /// The values stored by interceptors, such as the user's session.
        let storage: CallStorage?
        /// The base URL, or the reason why it is invalid.
        let base: Result<URL, NetworkError>?
        /// The call that all steps belong to; `nil` without observers.
        let call: ObservedCall?
        /// The deadline shared by all steps; `nil` if there is none or if each step has its own.
        let deadline: Deadline?
        package let timebase: Timebase
        fileprivate let sessions: [any SessionInterceptor]
    }

    private let state = Locked<State?>(nil)
    private let sharesOnlyStorage: Bool
    private let sharesDeadline: Bool

    /// Creates a session for steps that start later.
    ///
    /// - Parameters:
    ///   - sharesOnlyStorage: whether each step is a separate call, and the steps share only the user.
    ///   - sharesDeadline: whether the first step's deadline applies to all steps. Otherwise each step has its own.
    package init(sharesOnlyStorage: Bool = false, sharesDeadline: Bool = false) {
        self.sharesOnlyStorage = sharesOnlyStorage
        self.sharesDeadline = sharesDeadline
    }

    /// The state; `nil` until the first step starts.
    package var current: State? { state.withLock { $0 } }

    /// Whether a call that starts now belongs to the same user as the steps.
    package var isOfCurrentUser: Bool {
        guard let current, let storage = current.storage else { return true }
        return current.sessions.allSatisfy { $0.isOfSameUser(as: storage) }
    }

    /// Whether the steps' user has signed out. The first sign-in has no effect.
    package var hasEnded: Bool {
        guard let current, let storage = current.storage else { return false }
        return current.sessions.contains { $0.hasEnded(storage) }
    }

    /// The observed call; `nil` without observers.
    package var call: ObservedCall? { state.withLock { $0?.call } }

    /// Returns the state for a step. The first step creates it.
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
