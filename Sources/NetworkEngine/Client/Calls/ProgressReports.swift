/// Sends the progress of one transfer to its listeners. A late listener starts with the latest report.
final class ProgressReports: Sendable {
    private struct State {
        var latest: TransferProgress?
        /// The number of reports.
        var reported = 0
        var listeners: [Int: AsyncStream<TransferProgress>.Continuation] = [:]
        var closures: [@Sendable (TransferProgress) -> Void] = []
        var count = 0
        var isFinished = false
    }

    private let state = Locked(State())

    init() {}

    func report(_ progress: TransferProgress) {
        let state = state.withLock { state in
            if !state.isFinished {
                state.latest = progress
                state.reported += 1
            }
            return state
        }
        guard !state.isFinished else { return }
        for listener in state.listeners.values { listener.yield(progress) }
        for closure in state.closures { closure(progress) }
    }

    func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            defer {
                state.listeners = [:]
                state.closures = []
            }
            return state.listeners.values
        }
        for listener in listeners { listener.finish() }
    }

    /// Calls a closure with the latest report, if any, and with every later one.
    func listen(_ closure: @escaping @Sendable (TransferProgress) -> Void) {
        _ = add(closure) { $0.closures.append(closure) }
    }

    /// The latest report, if any, and every later one. A slow listener skips reports.
    var stream: AsyncStream<TransferProgress> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { listener in
            let number = state.withLock { state in
                state.count += 1
                return state.count
            }
            guard add({ listener.yield($0) }, { $0.listeners[number] = listener }) else { return listener.finish() }
            listener.onTermination = { [weak self] _ in
                self?.state.withLock { $0.listeners[number] = nil }
            }
        }
    }

    /// Adds a listener after it has received the latest report, so that it never receives an older report after a newer
    /// one.
    ///
    /// - Returns: whether the listener was added; `false` after the end.
    private func add(_ deliver: (TransferProgress) -> Void, _ register: (inout State) -> Void) -> Bool {
        var delivered = 0
        while true {
            let (latest, isAdded) = state.withLock { state -> (TransferProgress?, Bool) in
                if delivered != state.reported {
                    delivered = state.reported
                    return (state.latest, false)
                }
                if !state.isFinished { register(&state) }
                return (nil, !state.isFinished)
            }
            guard let latest else { return isAdded }
            deliver(latest)
        }
    }
}
