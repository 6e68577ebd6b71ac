import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The listeners of a session's tasks, and whether the session is still open.
final class TaskRegistry: Sendable {
    fileprivate struct State {
        var listeners: [Int: any TaskEvents] = [:]
        /// Tasks that are being created.
        var pending = 0
        var isClosed = false
    }

    private let state = Locked(State())

    /// Announces a new task; `false` if the session is closed.
    func open() -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.pending += 1
            return true
        }
    }

    /// Adds the announced task.
    ///
    /// - Returns: whether the session was closed in between.
    func insert(_ listener: any TaskEvents, for task: Int) -> Bool {
        state.withLock { state in
            state.pending -= 1
            state.listeners[task] = listener
            return state.isClosed
        }
    }

    func listener(for task: Int) -> (any TaskEvents)? {
        state.withLock { $0.listeners[task] }
    }

    /// Removes a task.
    ///
    /// - Returns: its listener, and whether the session is closed and has no tasks left.
    func remove(_ task: Int) -> (listener: (any TaskEvents)?, isDrained: Bool) {
        state.withLock { state in
            let listener = state.listeners.removeValue(forKey: task)
            return (listener, state.isDrained)
        }
    }

    /// Closes the registry. Only the first call returns listeners.
    func close() -> (listeners: [any TaskEvents], isDrained: Bool) {
        state.withLock { state in
            guard !state.isClosed else { return ([], false) }
            state.isClosed = true
            return (Array(state.listeners.values), state.isDrained)
        }
    }
}

extension TaskRegistry.State {
    fileprivate var isDrained: Bool { isClosed && pending == 0 && listeners.isEmpty }
}

/// The events of one session task, on its serial queue unless documented otherwise.
protocol TaskEvents: AnyObject, Sendable {
    func responded(_ response: URLResponse)
    func received(_ data: Data)
    func sent(_ count: Int64)
    /// Calls `answer` with `nil` immediately, or not at all.
    func redirected(answer: (URLRequest?) -> Void)
    /// The server requested a credential and receives none.
    func challenged()
    /// Whether the request has left its call's origin.
    var isForeign: Bool { get }
    /// The server's certificate was not accepted.
    func refused(_ problem: TransportFailure.CertificateProblem)
    /// The task's metrics, before its end. Not called on Linux.
    func measured(_ metrics: URLSessionTaskMetrics)
    /// - Parameter response: the task's last response, whether or not it was reported before.
    func completed(_ error: (any Error)?, response: URLResponse?)
    /// Starts to read the request body from its beginning. Called on the network queue of the whole process, so it must
    /// not wait.
    func newBodyStream() -> InputStream?
    func shutDown()
}
