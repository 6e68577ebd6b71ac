/// Hands a transfer's reports to whoever listens, and the latest to who comes late.
package final class ProgressReports: Sendable {
    private struct State {
        var latest: TransferProgress?
        var listeners: [Int: AsyncStream<TransferProgress>.Continuation] = [:]
        var count = 0
        var isFinished = false
    }

    private let state = Locked(State())

    package init() {}

    package func report(_ progress: TransferProgress) {
        let listeners = state.withLock { state -> [AsyncStream<TransferProgress>.Continuation] in
            guard !state.isFinished else { return [] }
            state.latest = progress
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(progress) }
    }

    package func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            defer { state.listeners = [:] }
            return state.listeners.values
        }
        for listener in listeners { listener.finish() }
    }

    /// The latest report, if any, and those that follow; a slow listener misses what came in between.
    package var stream: AsyncStream<TransferProgress> {
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
