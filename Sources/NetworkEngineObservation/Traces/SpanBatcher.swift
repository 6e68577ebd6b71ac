import Dispatch
import NetworkEngine

/// Collects spans, and passes them on in batches, one batch at a time.
///
/// Spans wait for a full batch or for the interval. Beyond the limit of waiting spans, new ones are dropped.
final class SpanBatcher: Sendable {
    private struct State {
        var spans: [Span] = []
        var isScheduled = false
        var dropped = 0
    }

    private let limit: Int
    private let size: Int
    private let interval: Duration
    private let exporting: @Sendable ([Span]) -> Void
    private let queue = DispatchQueue(label: "NetworkEngine.spans")
    private let state = Locked(State())

    init(limit: Int, size: Int, interval: Duration, exporting: @escaping @Sendable ([Span]) -> Void) {
        self.limit = limit
        self.size = size
        self.interval = interval
        self.exporting = exporting
    }

    /// The number of spans that were dropped.
    var droppedCount: Int { state.withLock { $0.dropped } }

    func add(_ span: Span) {
        let (isFull, isFirst) = state.withLock { state in
            guard state.spans.count < limit else {
                state.dropped += 1
                return (false, false)
            }
            state.spans.append(span)
            defer { state.isScheduled = true }
            return (state.spans.count == size, !state.isScheduled)
        }
        if isFull { queue.async { self.export() } }
        if isFirst {
            queue.asyncAfter(deadline: .now() + interval.inSeconds) {
                self.state.withLock { $0.isScheduled = false }
                self.export()
            }
        }
    }

    /// Waits until a source of spans is empty, and exports all spans.
    func flush(after empty: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { flushed in
            queue.async {
                empty()
                self.export()
                flushed.resume()
            }
        }
    }

    /// On the queue.
    private func export() {
        while true {
            let batch = state.withLock { state in
                let batch = state.spans.prefix(size)
                state.spans.removeFirst(batch.count)
                return Array(batch)
            }
            if batch.isEmpty { return }
            exporting(batch)
        }
    }
}
