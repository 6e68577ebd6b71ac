import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct OTLPExporterTests {
    private struct ReadSpan: Decodable {
        let trace: String
        let span: String
        let parent: String
        let kind: Int
        let status: Int
        let start: UInt64
        let end: UInt64
        let name: String
        let state: String
        let attributes: [String: String]
        let events: [String]
    }

    /// The JSON mapping reads identifiers as Base64. Encoding them as Base64 again restores the digits.
    private static let script = """
        import sys, json, base64
        from google.protobuf import json_format
        from opentelemetry.proto.trace.v1.trace_pb2 import TracesData
        text = lambda value: base64.b64encode(value).decode()
        def plain(value):
            kind = value.WhichOneof("value")
            if kind == "array_value": return "|".join(plain(v) for v in value.array_value.values)
            return kind + ":" + str(getattr(value, kind))
        found = []
        for line in open(sys.argv[1]):
            data = json_format.Parse(line, TracesData())
            for resource in data.resource_spans:
                names = {a.key: plain(a.value) for a in resource.resource.attributes}
                assert names["service.name"] == "string_value:test", names
                for scope in resource.scope_spans:
                    assert scope.scope.name == "NetworkEngine"
                    for s in scope.spans:
                        found.append({
                            "trace": text(s.trace_id), "span": text(s.span_id), "parent": text(s.parent_span_id),
                            "kind": s.kind, "status": s.status.code, "start": s.start_time_unix_nano,
                            "end": s.end_time_unix_nano, "name": s.name, "state": s.trace_state,
                            "attributes": {a.key: plain(a.value) for a in s.attributes},
                            "events": [e.name for e in s.events]})
        json.dump(found, sys.stdout)
        """

    private static func spans(_ count: Int) -> [TraceSpan] {
        (0..<count).map { number in
            var span = TraceSpan(
                name: "GET /x \"\(number)\"\n", traceID: "4bf92f3577b34da6a3ce929d0e0e4736", spanID: "00f067aa0ba902b7",
                parentID: number == 0 ? nil : "1111111111111111", start: EventSequence.date,
                end: EventSequence.date.addingTimeInterval(0.5))
            span.status = number == 0 ? .unset : .error
            span.state = TraceState("a=1")
            span.attributes = [
                "s": "é\u{1F36A}", "i": 7, "d": .double(1.5), "l": .strings(["x", "y"]), "inf": .double(.infinity),
            ]
            span.events = [TraceSpan.Event(name: "queued", time: EventSequence.date)]
            return span
        }
    }

    @Test(.enabled(if: MetricsReader.isInstalled, "opentelemetry-proto is not installed in .build/python"))
    func `an independent reader finds every span in the lines of a file`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("spans.jsonl")
        let exporter = OTLPExporter(appendingTo: file, resource: ["service.name": "test"]) { Issue.record($0) }
        exporter.export(Self.spans(2))
        exporter.export(Self.spans(1))
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.split(separator: "\n").count == 2 && text.hasSuffix("\n"))
        let read: [ReadSpan] = try await MetricsReader.read(text, with: Self.script)
        #expect(read.count == 3 && read.allSatisfy { $0.trace == "4bf92f3577b34da6a3ce929d0e0e4736" && $0.kind == 3 })
        #expect(
            read.allSatisfy { $0.span == "00f067aa0ba902b7" } && read.map(\.parent) == ["", "1111111111111111", ""])
        #expect(read.map(\.status) == [0, 2, 0] && read.allSatisfy { $0.state == "a=1" && $0.events == ["queued"] })
        #expect(read[0].start == 1_700_000_000_000_000_000 && read[0].end - read[0].start == 500_000_000)
        #expect(read[1].name == "GET /x \"1\"\n")
        #expect(
            read[0].attributes == [
                "s": "string_value:é\u{1F36A}", "i": "int_value:7", "d": "double_value:1.5",
                "l": "string_value:x|string_value:y", "inf": "string_value:inf",
            ])
    }

    @Test func `a batch is a POST to the collector`() async throws {
        let mock = MockTransport(
            .status(400), .status(503, headers: ["Retry-After": "0"]), .status(200))
        var configuration = Self.configuration(mock)
        configuration.observers = [SpanRecorder { _ in Issue.record("The export was observed.") }]
        let url = try #require(URL(string: "http://collector.test:4318/v1/traces"))
        let errors = Locked<[NetworkError?]>([])
        let exporter = OTLPExporter(
            sendingTo: url, headers: ["X-Key": "k"], resource: ["service.name": "test"], configuration: configuration
        ) { error in errors.withLock { $0.append(error as? NetworkError) } }
        let spans = SpanRecorder(exporting: exporter.export)
        for _ in 0..<2 {
            EventSequence.call(spans)
            await spans.flush()
        }
        let request = try #require(mock.requests.last)
        #expect(request.method == .post && request.url == url && request.headers["X-Key"] == "k")
        #expect(request.headers["Content-Type"] == "application/json" && mock.requests.count == 3)
        let document = try JSONSerialization.jsonObject(with: request.body.data ?? Data()) as? [String: Any]
        #expect((document?["resourceSpans"] as? [Any])?.count == 1)
        #expect(errors.withLock { $0 }.map { $0?.statusCode } == [400])
    }

    private static let collector = "http://collector.test:4318/v1/traces"

    /// A batch may take longer than the default: under ThreadSanitizer, every step of a call can wait for seconds.
    private static func configuration(_ mock: MockTransport) -> NetworkConfiguration {
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        configuration.deadline = .seconds(240)
        return configuration
    }

    @Test(
        arguments: [
            ([.status(302, headers: ["Location": "/login"]), .text("<html>")], "status 302", 1),
            ([.status(308, headers: ["Location": "/v2"]), .status(200)], nil, 2),
            (
                [.json(#"{"partialSuccess": {"rejectedSpans": "5", "errorMessage": "quota"}}"#)],
                "rejected 5 spans: quota", 1
            ),
            ([.json(#"{"partialSuccess": {"rejectedSpans": 5}}"#)], "rejected 5 spans", 1),
            ([.json(#"{"partialSuccess": {"rejectedSpans": "0", "errorMessage": "slow"}}"#)], nil, 1),
            ([.json(#"{"partialSuccess": {}}"#)], nil, 1), ([.text("rubbish")], nil, 1),
            ([.text(String(repeating: "a", count: 70_000))], "larger than 65536 bytes", 1),
        ] as [([MockAnswer], String?, Int)])
    func `spans that a collector does not accept are reported`(answers: [MockAnswer], reason: String?, requests: Int)
        async throws
    {
        let mock = MockTransport(answers[0], answers.last ?? .status(500))
        let configuration = Self.configuration(mock)
        let reasons = Locked<[String]>([])
        let exporter = OTLPExporter(sendingTo: try #require(URL(string: Self.collector)), configuration: configuration)
        {
            error in
            reasons.withLock { $0.append((error as? NetworkError)?.reason ?? "\(error)") }
        }
        let spans = SpanRecorder(exporting: exporter.export)
        EventSequence.call(spans)
        await spans.flush()
        let seen = reasons.withLock { $0 }
        #expect(seen.count == (reason == nil ? 0 : 1) && seen.allSatisfy { $0.contains(reason ?? "") }, "\(seen)")
        #expect(mock.requests.count == requests && mock.requests.allSatisfy { $0.method == .post })
    }

    @Test func `the headers for a collector can be a dictionary`() async throws {
        let mock = MockTransport(.status(200))
        let configuration = Self.configuration(mock)
        let url = try #require(URL(string: "http://collector.test:4318/v1/traces"))
        let keys = ["X-Key": "k"]
        let exporter = OTLPExporter(sendingTo: url, headers: keys, configuration: configuration)
        let spans = SpanRecorder(exporting: exporter.export)
        EventSequence.call(spans)
        await spans.flush()
        #expect(mock.requests.last?.headers["X-Key"] == "k")
    }

    @Test func `a file that cannot be written is reported`() throws {
        let failures = Locked(0)
        let exporter = OTLPExporter(appendingTo: URL(fileURLWithPath: "/nowhere/spans")) { _ in
            failures.withLock { $0 += 1 }
        }
        exporter.export(Self.spans(1))
        #expect(failures.withLock { $0 } == 1)
    }

    @Test func `a time outside of the range is zero`() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("spans")
        for date in [Date.distantPast, Date(timeIntervalSince1970: .nan), Date(timeIntervalSince1970: .infinity)] {
            let span = TraceSpan(name: "x", traceID: "1", spanID: "1", start: date, end: date)
            OTLPExporter(appendingTo: file).export([span])
        }
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 3 && lines.allSatisfy { $0.contains("\"startTimeUnixNano\":\"0\"") })
    }
}

/// Spans in a file on a 1 MiB disk.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled("needs unshare and the right to mount a file system") { try await SmallDisk.isPossible() }
)
struct FullDiskSpanTests {
    @Test func `a batch that does not fit leaves no part of its line`() async throws {
        guard let folder = SmallDisk.folder else {
            let failure = try await SmallDisk.failure(of: "FullDiskSpanTests")
            return #expect(failure == nil, "\(failure ?? "")")
        }
        let ballast = folder.appendingPathComponent("ballast"), file = folder.appendingPathComponent("spans")
        try Data(count: 900_000).write(to: ballast)
        let failures = Locked(0)
        let exporter = OTLPExporter(appendingTo: file) { _ in failures.withLock { $0 += 1 } }
        let span = TraceSpan(name: "x", traceID: "1", spanID: "1", start: Date(), end: Date())
        exporter.export([span])
        exporter.export(Array(repeating: span, count: 2_000))
        try FileManager.default.removeItem(at: ballast)
        exporter.export([span])
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(failures.withLock { $0 } == 1 && lines.count == 2)
        #expect(lines.allSatisfy { (try? JSONSerialization.jsonObject(with: Data($0.utf8))) != nil })
    }
}
