public import NetworkEngine

/// The counters and histograms of a ``MetricsRecorder`` at one moment.
public struct MetricsSnapshot: Hashable, Sendable {
    /// The requests that are counted together.
    public struct Series: Hashable, Sendable {
        /// The method; `_OTHER` for an unknown one.
        public var method: String
        /// The host without a port.
        public var address: String
        /// The server port, as specified or the scheme's default; `nil` in `other`.
        public var port: Int?
        /// The target's path template; `nil` if the target has none, and for redirects.
        public var template: String?

        /// Creates a series, for example to look up its numbers.
        public init(method: String, address: String, port: Int? = nil, template: String? = nil) {
            self.method = method
            self.address = address
            self.port = port
            self.template = template
        }

        /// Everything beyond the series limit.
        public static let other = Series(method: TelemetryLabels.otherMethod, address: "other")
    }

    /// Requests in a series with the same outcome.
    public struct Outcome: Hashable, Sendable {
        /// The requests that are counted together.
        public var series: Series
        /// The response status; `nil` without a response.
        public var statusCode: Int?
        /// The status as text from 400 up, or the kind of error, which is `cancelled` for a canceled request.
        public var errorType: String?

        /// Creates an outcome, for example to look up its durations.
        public init(series: Series, statusCode: Int? = nil, errorType: String? = nil) {
            self.series = series
            self.statusCode = statusCode
            self.errorType = errorType
        }
    }

    /// The distribution of durations.
    public struct Histogram: Hashable, Sendable {
        /// The upper bounds of the buckets in seconds. One more bucket has no upper bound.
        public static let bounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

        /// The number of durations in each bucket, excluding lower buckets.
        public private(set) var counts = [Int](repeating: 0, count: Self.bounds.count + 1)
        /// The sum of all durations in seconds.
        public private(set) var sum = 0.0

        /// Creates a histogram without durations.
        public init() {}

        /// The number of durations.
        public var count: Int { counts.reduce(0, +) }

        /// Counts a duration.
        public mutating func add(_ duration: Duration) {
            let seconds = max(0, duration.inSeconds)
            counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
            sum += seconds
        }
    }

    /// The durations of exchanges with servers: of each attempt and each redirect.
    public var requests: [Outcome: Histogram] = [:]
    /// The durations of whole calls, with attempts, pauses and decoding.
    public var calls: [Outcome: Histogram] = [:]
    /// The number of attempts after the first.
    public var retries: [Series: Int] = [:]
    /// The number of redirects, by the series of the call's first request.
    public var redirects: [Series: Int] = [:]
    /// The number of body bytes sent, if reported by the transport.
    public var bytesSent: [Series: Int64] = [:]
    /// The number of body bytes received, if reported by the transport.
    public var bytesReceived: [Series: Int64] = [:]
    /// The number of credential refreshes that have ended. Waiting for another call's refresh is not counted.
    public var refreshes: [NetworkEvent.Refresh.Outcome: Int] = [:]
    /// The number of requests that a cache handled, by outcome.
    public var cacheAnswers: [NetworkEvent.CacheAnswer.Outcome: Int] = [:]
    /// The number of calls that have started and not ended.
    public var callsInFlight = 0
    /// The number of calls that are missing here because the event queue was full.
    public var droppedCalls = 0

    /// Creates a snapshot without counts.
    public init() {}
}
