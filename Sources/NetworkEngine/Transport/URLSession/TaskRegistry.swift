/// Who is to be told about which task of a session, and whether the session is still open.
final class TaskRegistry: Sendable {
    fileprivate struct State {
        var listeners: [Int: any TaskEvents] = [:]
        /// Tasks that are being made at this moment.
        var pending = 0
        var isClosed = false
    }

    private let state = Locked(State())

    /// Announces that a task is going to be made; `false` when the session takes no more.
    func open() -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.pending += 1
            return true
        }
    }

    /// The announced task is there.
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

    /// Forgets a task.
    ///
    /// - Returns: its listener, and whether the session was closed and has no tasks any more.
    func remove(_ task: Int) -> (listener: (any TaskEvents)?, isDrained: Bool) {
        state.withLock { state in
            let listener = state.listeners.removeValue(forKey: task)
            return (listener, state.isDrained)
        }
    }

    /// Closes; only the first call gives anybody.
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
