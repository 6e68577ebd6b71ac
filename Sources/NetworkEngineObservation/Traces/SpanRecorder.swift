public import NetworkEngine

/// Records each exchange with a server as an OpenTelemetry span, and passes the spans on in batches.
///
/// ```swift
/// let exporter = OTLPExporter(appendingTo: file)
/// let spans = SpanRecorder(exporting: exporter.export)
/// configuration.observers = [spans]
/// let provider = NetworkProvider<UserAPI>(interceptors: [TraceContext()], configuration: configuration)
/// ```
/// A call with one retry and one redirect has three spans. Their names, attributes and errors follow the OpenTelemetry
/// conventions for HTTP clients. `url.full` contains neither credentials nor secret query items. Request identifiers
/// and the response's `Server-Timing` are recorded as well. A canceled exchange is not an error.
///
/// The identifiers are the ones that `TraceContext` sends, or new ones. Exchanges of an unsampled trace are not
/// recorded.
///
/// A batch has at most 512 spans, and is passed on when it is full or after 5 seconds. At most 2,048 spans wait. Call
/// ``flush()`` before the program ends.
public final class SpanRecorder: NetworkObserver {
    package let queue: ObserverQueue
    private let recording: @Sendable (NetworkEvent) -> Void
    private let batcher: SpanBatcher

    /// - Parameter exporting: receives batches of spans, one at a time and without delaying calls.
    public convenience init(exporting: @escaping @Sendable ([TraceSpan]) -> Void) {
        self.init(random: RandomNumbers().next, exporting: exporting)
    }

    init(
        limit: Int = 2_048,
        batchSize: Int = 512,
        interval: Duration = .seconds(5),
        random: @escaping @Sendable () -> UInt64,
        exporting: @escaping @Sendable ([TraceSpan]) -> Void
    ) {
        let batcher = SpanBatcher(limit: limit, size: batchSize, interval: interval, exporting: exporting)
        let ledger = Locked(SpanLedger(random: random))
        let recording: @Sendable (NetworkEvent) -> Void = { event in
            if let span = ledger.withLock({ $0.add(event) }) { batcher.add(span) }
        }
        self.batcher = batcher
        self.recording = recording
        queue = ObserverQueue(recording)
    }

    public func handle(_ event: NetworkEvent) { recording(event) }

    /// Exports the spans of all exchanges that have ended, and waits until the exporter is done or the task is
    /// canceled.
    ///
    /// The exporter itself must not call it.
    public func flush() async { try? await flushing().wait() }

    /// Exports the spans of all exchanges that have ended, and waits for the exporter for at most the given time.
    ///
    /// ```swift
    /// let isComplete = await spans.flush(within: .seconds(5))
    /// ```
    /// - Returns: whether the exporter has received all of them.
    @discardableResult
    public func flush(within limit: Duration) async -> Bool {
        let timers = TimerQueue(timebase: .reading(ContinuousClock()))
        defer { timers.stop() }
        let deadline = Deadline(in: limit, on: timers.timebase)
        return (try? await flushing().wait(until: deadline, on: timers)) != nil
    }

    private func flushing() -> OneShot<Void> { batcher.flush { [queue] in queue.flush() } }

    /// The number of spans that were not exported because the exporter was too slow.
    public var droppedSpans: Int { batcher.droppedCount }
}

extension SpanRecorder: QueuedObserver {}
