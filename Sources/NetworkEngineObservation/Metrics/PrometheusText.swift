import NetworkEngine

/// Writes metrics in Prometheus' text format.
struct PrometheusText {
    private(set) var text = ""

    private struct Labels {
        var pairs: [(name: String, value: String)] = []

        init(_ series: MetricsSnapshot.Series) {
            add("http_request_method", series.method)
            add("server_address", series.address)
            add("server_port", series.port.map(String.init))
            add("url_template", series.template)
        }

        init(_ outcome: MetricsSnapshot.Outcome) {
            self.init(outcome.series)
            add("http_response_status_code", outcome.statusCode.map(String.init))
            add("error_type", outcome.errorType)
        }

        init(_ name: String, _ value: String) { add(name, value) }

        private mutating func add(_ name: String, _ value: String?) {
            if let value { pairs.append((name, value)) }
        }

        var text: String { pairs.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",") }

        private static func escaped(_ value: String) -> String {
            var bytes: [UInt8] = []
            for byte in value.utf8 {
                switch byte {
                case UInt8(ascii: "\\"), UInt8(ascii: "\""): bytes += [UInt8(ascii: "\\"), byte]
                case UInt8(ascii: "\n"): bytes += "\\n".utf8
                default: bytes.append(byte)
                }
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    init(_ metrics: MetricsSnapshot) {
        add(metrics.requests, as: "http_client_request_duration_seconds", "Duration of HTTP client requests.")
        add(metrics.calls, as: "http_client_call_duration_seconds", "Duration of calls, with all their attempts.")
        add(metrics.retries, as: "http_client_retries_total", "Attempts after the first.", Labels.init)
        add(metrics.redirects, as: "http_client_redirects_total", "Redirects that were followed.", Labels.init)
        add(metrics.bytesSent, as: "http_client_sent_bytes_total", "Bytes of request bodies.", Labels.init)
        add(metrics.bytesReceived, as: "http_client_received_bytes_total", "Bytes of response bodies.", Labels.init)
        add(metrics.refreshes, as: "http_client_credential_refreshes_total", "Credential refreshes that ended.") {
            Labels("outcome", $0.rawValue)
        }
        add(metrics.cacheAnswers, as: "http_client_cache_answers_total", "Answers of the cache.") {
            Labels("outcome", $0.rawValue)
        }
        add("http_client_calls_in_flight", "gauge", "Calls that have not ended.", metrics.callsInFlight)
        add("http_client_dropped_calls_total", "counter", "Calls that were not observed.", metrics.droppedCalls)
    }

    private mutating func begin(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    private mutating func add(_ name: String, _ type: String, _ help: String, _ value: Int) {
        begin(name, type, help)
        text += "\(name) \(value)\n"
    }

    private mutating func add<Key: Hashable>(
        _ counter: [Key: some BinaryInteger], as name: String, _ help: String, _ labels: (Key) -> Labels
    ) {
        begin(name, "counter", help)
        let lines = counter.map { "\(name){\(labels($0.key).text)} \($0.value)\n" }
        text += lines.sorted().joined()
    }

    private mutating func add(
        _ histograms: [MetricsSnapshot.Outcome: MetricsSnapshot.Histogram], as name: String, _ help: String
    ) {
        begin(name, "histogram", help)
        for (labels, histogram) in histograms.map({ (Labels($0.key).text, $0.value) }).sorted(by: { $0.0 < $1.0 }) {
            var count = 0
            for (index, number) in histogram.counts.enumerated() {
                count += number
                text += "\(name)_bucket{\(labels),le=\"\(Self.bounds[index])\"} \(count)\n"
            }
            text += "\(name)_sum{\(labels)} \(histogram.sum)\n\(name)_count{\(labels)} \(count)\n"
        }
    }

    /// The bounds as Prometheus clients write them: `1`, not `1.0`.
    private static let bounds =
        MetricsSnapshot.Histogram.bounds.map { $0 == $0.rounded() ? String(Int($0)) : String($0) } + ["+Inf"]
}
