public import NetworkEngine

/// Records each exchange with a server as an OpenTelemetry span, and passes the spans on in batches.
///
/// ```swift
/// let exporter = OTLPExporter(appendingTo: file)
/// let spans = SpanRecorder(exporting: exporter.export)
/// configuration.observers = [spans]
/// let provider = NetworkProvider<UserAPI>(interceptors: [TraceContext()], configuration: configuration)
/// ```
/// A call with a retry and a redirect has three spans. Their names, attributes and errors follow the OpenTelemetry
/// conventions for HTTP clients. `url.full` has neither credentials nor secret query items. Request identifiers and
/// `Server-Timing` of the response are recorded, too. A canceled exchange is not an error.
///
/// The identifiers are those that `TraceContext` sends, else new ones. Exchanges of a trace that is not sampled are
/// not recorded.
///
/// A batch has at most 512 spans, and is passed on when it is full or after 5 seconds. At most 2,048 spans wait. Call
/// ``flush()`` before the program ends.
public final class SpanRecorder: NetworkObserver {
    package let queue: ObserverQueue
    private let recording: @Sendable (NetworkEvent) -> Void
    private let batcher: SpanBatcher

    /// - Parameter exporting: receives batches of spans, one at a time and off the path of the calls.
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

    /// Exports the spans of all exchanges that have ended, and waits for the exporter, or until the task is canceled.
    ///
    /// The exporter itself must not call it.
    public func flush() async { try? await flushing().wait() }

    /// Exports the spans of all exchanges that have ended, and waits for the exporter for at most this time.
    ///
    /// ```swift
    /// let isComplete = await spans.flush(within: .seconds(5))
    /// ```
    /// - Returns: whether the exporter has got all of them.
    @discardableResult
    public func flush(within limit: Duration) async -> Bool {
        let timers = TimerQueue(timebase: .reading(ContinuousClock()))
        defer { timers.stop() }
        let deadline = Deadline(in: limit, on: timers.timebase)
        return (try? await flushing().wait(until: deadline, on: timers)) != nil
    }

    private func flushing() -> OneShot<Void> { batcher.flush { [queue] in queue.flush() } }

    /// The number of spans that were not exported, because the exporter was behind.
    public var droppedSpans: Int { batcher.droppedCount }
}

extension SpanRecorder: QueuedObserver {}
