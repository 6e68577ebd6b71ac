/// Sends the progress of one transfer to its listeners. A late listener starts with the latest report.
final class ProgressReports: Sendable {
    private struct State {
        var latest: TransferProgress?
        var listeners: [Int: AsyncStream<TransferProgress>.Continuation] = [:]
        var closures: [@Sendable (TransferProgress) -> Void] = []
        var count = 0
        var isFinished = false
    }

    private let state = Locked(State())

    func report(_ progress: TransferProgress) {
        let state = state.withLock { state in
            if !state.isFinished { state.latest = progress }
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
        let latest = state.withLock { state in
            if !state.isFinished { state.closures.append(closure) }
            return state.latest
        }
        if let latest { closure(latest) }
    }

    /// The latest report, if any, and every later one. A slow listener skips reports.
    var stream: AsyncStream<TransferProgress> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { listener in
            let (number, latest, isFinished) = state.withLock { state in
                state.count += 1
                if !state.isFinished { state.listeners[state.count] = listener }
                return (state.count, state.latest, state.isFinished)
            }
            if let latest { listener.yield(latest) }
            if isFinished { return listener.finish() }
            listener.onTermination = { [weak self] _ in
                self?.state.withLock { $0.listeners[number] = nil }
            }
        }
    }
}
