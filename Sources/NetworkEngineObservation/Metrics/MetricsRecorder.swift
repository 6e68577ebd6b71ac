public import NetworkEngine

/// Counts calls and measures their durations, for Prometheus and for snapshots.
///
/// ```swift
/// let metrics = MetricsRecorder()
/// configuration.observers = [metrics]
/// print(metrics.prometheusText())
/// ```
/// Series are labeled by method, host, port, the target's template, and status or error type; never by path. Names,
/// labels and buckets follow the OpenTelemetry conventions for HTTP clients. Each metric has a limited number of
/// series. Beyond the limit, values are counted in one series with the address `other`.
///
/// One recorder can observe several providers.
public final class MetricsRecorder: NetworkObserver {
    package let queue: ObserverQueue
    private let ledger: Locked<MetricsLedger>

    /// - Parameter seriesLimit: the maximum number of series of each metric.
    public init(seriesLimit: Int = 1_000) {
        let ledger = Locked(MetricsLedger(limit: max(1, seriesLimit)))
        self.ledger = ledger
        queue = ObserverQueue { event in ledger.withLock { $0.count(event) } }
    }

    public func handle(_ event: NetworkEvent) { ledger.withLock { $0.count(event) } }

    /// Returns the metrics of all events so far.
    public func snapshot() -> MetricsSnapshot {
        queue.flush()
        return ledger.withLock { $0.snapshot }
    }

    /// Returns the metrics in Prometheus' text format, version 0.0.4.
    ///
    /// Serve it as `text/plain; version=0.0.4`.
    public func prometheusText() -> String { PrometheusText(snapshot()).text }
}

extension MetricsRecorder: QueuedObserver {}
