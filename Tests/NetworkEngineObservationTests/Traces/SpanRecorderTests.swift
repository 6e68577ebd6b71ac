import Dispatch
import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct SpanRecorderTests {
    private let spans = Locked<[TraceSpan]>([])
    private let recorder: SpanRecorder

    init() {
        recorder = SpanRecorder { [spans] batch in spans.withLock { $0 += batch } }
    }

    private var recorded: [TraceSpan] {
        get async {
            await recorder.flush()
            return spans.withLock { $0 }
        }
    }

    @Test func `a span has the name, the times and the attributes of the conventions`() async throws {
        var call = EventSequence(recorder)
        let request = EventSequence.request("https://user:secret@api.test/users/7?page=2&sig=hidden#x")
        call.begin(request, template: "/users/{id}")
        call.wait(.milliseconds(250))
        call.beginExchange(request)
        call.post(
            .connected(.init(remoteAddress: "192.0.2.1", remotePort: 8443, networkProtocol: "h2")), of: call.exchange)
        call.wait(.milliseconds(500))
        call.respond(200, request)
        call.end(.success(HTTPResponse(statusCode: 200, request: request)))
        let span = try #require(await recorded.first)
        #expect(span.name == "GET /users/{id}" && span.kind == .client && span.status == .unset)
        #expect(abs(span.start.timeIntervalSince(EventSequence.date) - 0.25) < 1e-5)
        #expect(abs(span.end.timeIntervalSince(span.start) - 0.5) < 1e-5)
        #expect(span.traceID.count == 32 && span.spanID.count == 16 && span.parentID == nil)
        #expect(
            span.attributes == [
                "http.request.method": "GET", "server.address": "api.test", "server.port": 443,
                "url.full": "https://api.test/users/7?page=2&sig=<redacted>", "url.template": "/users/{id}",
                "http.response.status_code": 200, "network.protocol.name": "http", "network.protocol.version": "2",
                "network.peer.address": "192.0.2.1", "network.peer.port": 8443,
            ])
    }

    @Test(
        arguments: [
            ("http/1.1", "http", "1.1"), ("HTTP/1.0", "http", "1.0"), ("h3", "http", "3"), ("spdy/3", "spdy", "3"),
            ("odd", "odd", nil),
        ] as [(String, String, String?)])
    func `protocols have a name and a version`(alpn: String, name: String, version: String?) async {
        var call = EventSequence(recorder)
        call.begin(EventSequence.request())
        call.beginExchange(EventSequence.request())
        call.post(.connected(.init(networkProtocol: alpn)), of: 1)
        call.respond(204, EventSequence.request())
        let attributes = await recorded.first?.attributes
        #expect(attributes?["network.protocol.name"]?.description == name)
        #expect(attributes?["network.protocol.version"]?.description == version)
    }

    @Test func `an unknown method is named in an attribute only`() async {
        EventSequence.call(recorder, EventSequence.request("https://api.test/", "get"), template: "/")
        let span = await recorded.first
        #expect(span?.name == "HTTP /" && span?.attributes["http.request.method"] == "_OTHER")
        #expect(span?.attributes["http.request.method_original"] == "get")
    }

    @Test(arguments: [(200, nil), (304, nil), (400, "400"), (503, "503")] as [(Int, String?)])
    func `a status from 400 is an error`(status: Int, errorType: String?) async {
        EventSequence.call(recorder, status: status)
        let span = await recorded.first
        #expect(span?.attributes["error.type"]?.description == errorType)
        #expect(span?.status == (errorType == nil ? .unset : .error) && span?.statusMessage == nil)
        #expect(span?.attributes["http.response.status_code"] == .int(status))
    }

    @Test(arguments: [NetworkErrorKind.timeout, .connection, .tls, .cancelled])
    func `a failure is an error of its kind, unless the caller canceled`(kind: NetworkErrorKind) async {
        var call = EventSequence(recorder)
        call.begin(EventSequence.request())
        call.beginExchange(EventSequence.request())
        call.post(.exchangeEnded(.init(result: .failure(NetworkError(kind: kind, reason: "why")))), of: 1)
        let span = await recorded.first
        let isError = kind != .cancelled
        #expect(span?.status == (isError ? .error : .unset) && span?.statusMessage == (isError ? "why" : nil))
        #expect(span?.attributes["error.type"]?.description == kind.rawValue)
    }

    @Test func `the reason of a failure is recorded without secrets`() async {
        var request = EventSequence.request()
        request.secrets = RequestSecrets(values: ["hush-8-hush-8"])
        var call = EventSequence(recorder)
        call.begin(request)
        call.beginExchange(request)
        let reason = "cannot open https://api.test/a?api_key=hush-7 for hush-8-hush-8"
        call.post(.exchangeEnded(.init(result: .failure(NetworkError(kind: .connection, reason: reason)))), of: 1)
        let message = await recorded.first?.statusMessage
        #expect(message?.contains("hush") == false && message?.hasPrefix("cannot open https://api.test/a") == true)
    }

    @Test func `a failed connection tells what failed`() async {
        for (failure, type) in [
            (.dns, "dns"), (.connect, "connect"), (.lostBeforeResponse, "lost"), (.lostMidBody, "lost"),
            (.timeout(.response), "timeout"),
        ] as [(TransportFailure, String)] {
            #expect(OutcomeLabels(.failure(NetworkError(failure, reason: ""))).errorType == type)
        }
    }

    @Test func `an attempt with two redirects, and a retry, are four spans of one trace`() async {
        var call = EventSequence(recorder)
        let first = EventSequence.request()
        call.begin(first, template: "/users/{id}")
        call.beginExchange(first)
        call.respond(302, first)
        for path in ["a", "b"] {
            let next = EventSequence.request("https://cdn.test/\(path)")
            call.post(.redirected(.init(statusCode: 302, request: next)))
            call.beginExchange(next)
            call.respond(path == "a" ? 302 : 500, next)
        }
        call.beginAttempt(first)
        call.beginExchange(first)
        call.respond(200, first)
        let spans = await recorded
        #expect(spans.map(\.name) == ["GET /users/{id}", "GET", "GET", "GET /users/{id}"])
        #expect(spans.map { $0.attributes["http.request.resend_count"] } == [nil, 1, 2, 3])
        #expect(Set(spans.map(\.traceID)).count == 1 && Set(spans.map(\.spanID)).count == 4)
        #expect(spans.map { $0.attributes["server.address"] } == ["api.test", "cdn.test", "cdn.test", "api.test"])
    }

    @Test func `request identifiers and the timing of the server are recorded`() async {
        EventSequence.call(
            recorder, EventSequence.request(headers: ["X-Request-ID": "mine"]),
            headers: ["x-request-id": "theirs", "Server-Timing": "db;dur=53.5;desc=\"read\", miss"])
        let span = await recorded.first
        #expect(span?.attributes["http.request.header.x-request-id"] == .strings(["mine"]))
        #expect(span?.attributes["http.response.header.x-request-id"] == .strings(["theirs"]))
        #expect(
            span?.events.map(\.attributes) == [
                ["name": "db", "duration_ms": .double(53.5), "description": "read"], ["name": "miss"],
            ])
    }

    @Test func `waiting spans are limited, and exported in batches`() async {
        let batches = Locked<[Int]>([])
        let recorder = SpanRecorder(
            limit: 25, batchSize: 10, interval: .seconds(3_600), random: { .random(in: 0 ... .max) }
        ) { batch in batches.withLock { $0.append(batch.count) } }
        for _ in 0..<9 { EventSequence.call(recorder) }
        #expect(batches.withLock { $0 }.isEmpty)
        await recorder.flush()
        #expect(batches.withLock { $0 } == [9] && recorder.droppedSpans == 0)
    }

    @Test func `an exporter that is behind loses spans, and no memory`() async {
        let isOpen = DispatchSemaphore(value: 0)
        let (blocked, isBlocked) = AsyncStream<Void>.makeStream()
        let count = Locked(0)
        let recorder = SpanRecorder(
            limit: 20, batchSize: 10, interval: .seconds(3_600), random: { .random(in: 0 ... .max) }
        ) { batch in
            count.withLock { $0 += batch.count }
            isBlocked.yield()
            isOpen.wait()
            isOpen.signal()
        }
        for _ in 0..<10 { EventSequence.call(recorder) }
        for await _ in blocked { break }
        for _ in 0..<100 { EventSequence.call(recorder) }
        #expect(recorder.droppedSpans == 80)
        isOpen.signal()
        await recorder.flush()
        #expect(count.withLock { $0 } == 30)
    }

    /// A recorder with an exporter that waits until it's released.
    private func blocked() -> (recorder: SpanRecorder, release: DispatchSemaphore) {
        let release = DispatchSemaphore(value: 0)
        let recorder = SpanRecorder(
            limit: 20, batchSize: 10, interval: .seconds(3_600), random: { .random(in: 0 ... .max) }
        ) { _ in
            release.wait()
            release.signal()
        }
        EventSequence.call(recorder)
        return (recorder, release)
    }

    @Test func `a flush ends while new spans arrive`() async {
        let batches = Locked<[Int]>([])
        let again = Locked<SpanRecorder?>(nil)
        let recorder = SpanRecorder(
            limit: 1_000, batchSize: 10, interval: .seconds(3_600), random: { .random(in: 0 ... .max) }
        ) { batch in
            batches.withLock { $0.append(batch.count) }
            if let recorder = again.withLock({ $0 }) { EventSequence.call(recorder) }
        }
        again.withLock { $0 = recorder }
        EventSequence.call(recorder)
        await recorder.flush()
        #expect(batches.withLock { $0 } == [1])
        again.withLock { $0 = nil }
        await recorder.flush()
        #expect(batches.withLock { $0 } == [1, 1])
    }

    @Test func `a flush has a limit of time`() async {
        let (recorder, release) = blocked()
        #expect(await !recorder.flush(within: .zero))
        release.signal()
        #expect(await recorder.flush(within: .seconds(200)))
    }

    @Test func `a canceled task waits for no exporter`() async {
        let (recorder, release) = blocked()
        let flushing = Task { await recorder.flush() }
        flushing.cancel()
        await flushing.value
        release.signal()
    }

    @Test func `spans are exported without a flush after the interval`() async {
        let (batches, exported) = AsyncStream<Int>.makeStream()
        let recorder = SpanRecorder(limit: 20, batchSize: 10, interval: .milliseconds(1), random: { 1 }) { batch in
            exported.yield(batch.count)
        }
        EventSequence.call(recorder)
        for await count in batches {
            #expect(count == 1)
            break
        }
    }
}
