import Dispatch
import NetworkEngine

/// Collects spans, and passes them on in batches, one batch at a time.
///
/// Spans wait for a full batch or for the interval. New spans beyond the limit of waiting spans are dropped.
final class SpanBatcher: Sendable {
    private struct State {
        var spans: [TraceSpan] = []
        var isScheduled = false
        var dropped = 0
    }

    private let limit: Int
    private let size: Int
    private let interval: Duration
    private let exporting: @Sendable ([TraceSpan]) -> Void
    private let queue = DispatchQueue(label: "NetworkEngine.spans")
    private let state = Locked(State())

    init(limit: Int, size: Int, interval: Duration, exporting: @escaping @Sendable ([TraceSpan]) -> Void) {
        self.limit = limit
        self.size = max(1, size)
        self.interval = interval
        self.exporting = exporting
    }

    /// The number of dropped spans.
    var droppedCount: Int { state.withLock { $0.dropped } }

    func add(_ span: TraceSpan) {
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

    /// Empties a source of spans, and exports all spans. The result is available when the exporter has returned.
    func flush(after empty: @escaping @Sendable () -> Void) -> OneShot<Void> {
        let flushed = OneShot<Void>()
        queue.async {
            empty()
            self.export()
            flushed.settle(())
        }
        return flushed
    }

    /// Exports the waiting spans. Spans that arrive during the export are exported next. Call on the queue.
    private func export() {
        var left = state.withLock { $0.spans.count }
        while left > 0 {
            let batch = state.withLock { state in
                let batch = state.spans.prefix(min(size, left))
                state.spans.removeFirst(batch.count)
                return Array(batch)
            }
            left -= batch.count
            exporting(batch)
        }
    }
}
