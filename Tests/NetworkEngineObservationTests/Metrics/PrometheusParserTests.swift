import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation

@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: MetricsReader.isInstalled, "prometheus-client is not installed in .build/python"))
struct PrometheusParserTests {
    private struct Sample: Decodable {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    private static let script = """
        import sys, json
        from prometheus_client.parser import text_string_to_metric_families
        samples = []
        with open(sys.argv[1], newline="") as file: text = file.read()
        for family in text_string_to_metric_families(text):
            assert family.type in ("counter", "histogram", "gauge"), family
            assert family.documentation, family
            samples += [{"name": s.name, "labels": s.labels, "value": s.value} for s in family.samples]
        json.dump(samples, sys.stdout)
        """

    @Test func `an independent parser reads every series, whatever its labels contain`() async throws {
        let metrics = MetricsRecorder()
        let templates = ["/users/{id}", "a\"b", "a\\", "a\nb", "a\\nb", "é\u{1F36A}", "{},= #", ""]
        for template in templates { EventSequence.call(metrics, template: template) }
        var call = EventSequence(metrics)
        call.begin(EventSequence.request("http://[2001:db8::1]:8080/x", "brew"))
        call.post(.cacheAnswered(.init(outcome: .hit)))
        call.post(.refreshEnded(.init(isJoined: false, outcome: .failed)))
        call.post(.retryDecided(.init(delay: .zero, reason: .advised)))
        let samples: [Sample] = try await MetricsReader.read(metrics.prometheusText(), with: Self.script)
        let counts = samples.filter { $0.name == "http_client_request_duration_seconds_count" }
        #expect(
            Set(counts.map { $0.labels["url_template"] ?? "" }) == Set(templates) && counts.allSatisfy { $0.value == 1 }
        )
        #expect(samples.count { $0.name == "http_client_request_duration_seconds_bucket" } == 15 * templates.count)
        let retries = samples.filter { $0.name == "http_client_retries_total" }
        #expect(
            retries.map(\.labels) == [
                ["http_request_method": "_OTHER", "server_address": "2001:db8::1", "server_port": "8080"]
            ])
        #expect(samples.first { $0.name == "http_client_calls_in_flight" }?.value == 1)
        #expect(samples.first { $0.name == "http_client_cache_answers_total" }?.labels == ["outcome": "hit"])
    }

    @Test func `metrics without events are valid`() async throws {
        let samples: [Sample] = try await MetricsReader.read(MetricsRecorder().prometheusText(), with: Self.script)
        #expect(samples.map(\.value) == [0, 0])
    }
}
