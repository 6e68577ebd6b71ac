import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineStreams
@testable import NetworkEngineTesting

/// Tests reconnecting with a test clock.
@Suite(.timeLimit(.minutes(5))) struct ServerSentEventsTests {
    private let clock = TestClock()
    private static let type: HTTPHeaders = ["Content-Type": "text/event-stream; charset=utf-8"]

    private func events(_ mock: MockTransport, of target: API = .plain) -> ServerSentEvents {
        NetworkProvider<API>(mock) { $0.clock = clock }.events(target)
    }

    private func eventStream(_ text: String) -> MockAnswer { .status(200, headers: Self.type, body: text) }

    private typealias Outcome = (events: [String], failure: NetworkError?)

    private func collect(_ events: ServerSentEvents) async -> Outcome {
        var read: [String] = []
        var iterator = events.makeAsyncIterator()
        do throws(NetworkError) {
            while let event = try await iterator.next() { read.append(event.data) }
            return (read, nil)
        } catch {
            return (read, error)
        }
    }

    /// Reads all events while the clock advances through the retry delays.
    private func read(_ events: ServerSentEvents, pauses: [Duration]) async -> Outcome {
        async let outcome = collect(events)
        for pause in pauses {
            await clock.untilSleeping(within: .seconds(30))
            clock.advance(by: pause)
        }
        return await outcome
    }

    @Test func `a new connection continues after the last event, and a 204 ends the events`() async {
        let mock = MockTransport(eventStream("id: 7\ndata: a\n\ndata: b\n\n"), eventStream("data: c\n\n"), .status(204))
        let outcome = await read(events(mock), pauses: [.seconds(3), .seconds(3)])
        #expect(outcome.events == ["a", "b", "c"])
        #expect(outcome.failure == nil)
        #expect(mock.requests.map { $0.headers["Last-Event-ID"] } == [nil, "7", "7"])
        #expect(mock.requests.allSatisfy { $0.headers["Accept"] == "text/event-stream" })
    }

    @Test(arguments: [(5_000, 5_000), (1_000, 1_000), (999, 1_000), (0, 1_000)])
    func `the server's retry time replaces the default, with a minimum of one second`(
        said: Int,
        milliseconds: Int
    ) async {
        let mock = MockTransport(eventStream("retry: \(said)\ndata: a\n\n"), .status(204))
        #expect(await read(events(mock), pauses: [.milliseconds(milliseconds)]).events == ["a"])
    }

    @Test func `the minimum of the server's retry time can be configured`() async {
        var events = events(MockTransport(eventStream("retry: 20\ndata: a\n\n"), .status(204)))
        events.minimumRetryDelay = .milliseconds(10)
        #expect(await read(events, pauses: [.milliseconds(20)]).events == ["a"])
    }

    @Test(arguments: [
        ("retry: 300000\n", 1, 300), ("retry: 300001\n", 1, 300), ("retry: \(Int.max)\n", 1, 300),
        ("retry: 20\n", 600, 600), ("", 1, 900),
    ])
    func `a server cannot keep the caller from connecting for more than five minutes`(
        field: String,
        minimum: Int,
        pause: Int
    ) async {
        var events = events(MockTransport(eventStream(field + "data: a\n\n"), .status(204)))
        (events.minimumRetryDelay, events.retryDelay) = (.seconds(minimum), .seconds(900))
        let (pauses, source) = AsyncStream.makeStream(of: Duration.self)
        events.onSignal = { if case .reconnecting(let pause, _) = $0 { source.yield(pause) } }
        let reading = Task { [events] in await collect(events).events }
        var iterator = pauses.makeAsyncIterator()
        #expect(await iterator.next() == .seconds(pause))
        reading.cancel()
        #expect(await reading.value == ["a"])
    }

    @Test func `a broken connection is retried a limited number of times in a row`() async {
        let mock = MockTransport(.failure(.connect).repeating())
        var events = events(mock)
        events.reconnectLimit = 2
        let outcome = await read(events, pauses: [.seconds(3), .seconds(3)])
        #expect(outcome.failure?.transportFailure == .connect)
        #expect(mock.requests.count == 3)
    }

    @Test(arguments: [
        (
            MockAnswer.status(200, headers: ["Content-Type": "text/html"], body: "data: x\n\n"),
            NetworkErrorKind.invalidResponse
        ),
        (MockAnswer.status(201, headers: ["Content-Type": "text/event-stream"]), .invalidResponse),
        (MockAnswer.status(200), .invalidResponse),
        (MockAnswer.status(404), .status),
        (MockAnswer.failure(.tls), .tls),
    ])
    func `an error status ends the events at once`(answer: MockAnswer, kind: NetworkErrorKind) async {
        let mock = MockTransport(answer)
        let outcome = await collect(events(mock))
        #expect(outcome.failure?.kind == kind)
        #expect(mock.requests.count == 1)
    }

    @Test func `an event beyond the limit ends the events`() async {
        var events = events(MockTransport(eventStream("data: " + String(repeating: "x", count: 1_000))))
        events.eventLimit = 100
        #expect(await collect(events).failure?.kind == .limit)
    }

    @Test func `the limit applies to each event in a chunk`() async {
        var events = events(MockTransport(eventStream(String(repeating: "data: x\n\n", count: 100)), .status(204)))
        events.eventLimit = 7
        #expect(await read(events, pauses: [.seconds(3)]).events.count == 100)
    }

    @Test(arguments: [
        "event: a\ndata: b\nid: c\n\n", ": comment\nevent: a\r\ndata: b\rid: c\n\n",
        "\u{FEFF}data: 67890\ndata: 789\n\n",
    ])
    func `an event can have as many bytes as the limit and not one more`(text: String) async {
        for (limit, count) in [(20, 1), (19, 0)] {
            var events = events(MockTransport(eventStream(text), .status(204)))
            events.eventLimit = limit
            let outcome = await read(events, pauses: count == 0 ? [] : [.seconds(3)])
            #expect(outcome.events.count == count && outcome.failure?.kind == (count == 0 ? .limit : nil))
        }
    }

    @Test func `the caller's last identifier applies to the first connection and the first event`()
        async throws
    {
        let mock = MockTransport(
            eventStream("data: a\n\n"), eventStream("id\ndata: b\n\n"), eventStream("data: c\n\n"), .status(204))
        let endpoint = Endpoint(path: "/news", headers: ["Last-Event-ID": "7"])
        let events = HTTPClient(mock) { $0.clock = clock }.events(endpoint)
        let reading = Task {
            var ids: [String] = []
            var iterator = events.makeAsyncIterator()
            while let event = try await iterator.next() { ids.append(event.id) }
            return ids
        }
        for _ in 1...3 {
            await clock.untilSleeping(within: .seconds(30))
            clock.advance(by: .seconds(3))
        }
        let ids = try await reading.value
        #expect(ids == ["7", "", ""])
        #expect(mock.requests.map { $0.headers["Last-Event-ID"] } == ["7", "7", nil, nil])
    }

    @Test func `a request for events disables caches unless the caller sets the header`() async {
        let mock = MockTransport(.status(204).repeating())
        let client = HTTPClient(mock)
        for headers in [[:], ["Cache-Control": "max-age=1"]] as [HTTPHeaders] {
            #expect(await collect(client.events(Endpoint(path: "/news", headers: headers))).failure == nil)
        }
        #expect(mock.requests.map { $0.headers["Cache-Control"] } == ["no-cache, no-store", "max-age=1"])
    }

    @Test func `a server that sends anything before it closes is reconnected without a limit`() async {
        var events = events(MockTransport(eventStream(": nothing new\n\n").repeating(5), .status(204)))
        events.reconnectLimit = 2
        let outcome = await read(events, pauses: Array(repeating: .seconds(3), count: 5))
        #expect(outcome.failure == nil)
    }

    @Test func `connections that end without a byte count as failures`() async {
        let mock = MockTransport(eventStream("").repeating())
        var events = events(mock)
        events.reconnectLimit = 2
        let outcome = await read(events, pauses: [.seconds(3), .seconds(3)])
        #expect(outcome.failure?.transportFailure == .lostMidBody && mock.requests.count == 3)
    }

    @Test func `a connection that was open for long without a byte ends the failures in a row`() async {
        let quiet = MockAnswer { [clock] request, _ in
            let silence = BodyStream(
                length: nil,
                isReplayable: false,
                reading: {
                    BodyStream.Reading {
                        try await clock.sleep(for: .seconds(5))
                        return nil
                    }
                })
            return HTTPResponse(statusCode: 200, headers: Self.type, body: .stream(silence), request: request)
        }
        let mock = MockTransport(.failure(.connect), quiet, .failure(.connect), quiet, .status(204))
        var events = events(mock)
        events.reconnectLimit = 1
        let time = Task { while !Task.isCancelled { await clock.advanceToNextSleeper(within: .seconds(30)) } }
        let outcome = await collect(events)
        time.cancel()
        #expect(outcome.failure == nil && mock.requests.count == 5)
    }

    @Test func `connections, comments and reconnections are observable in order`() async {
        let seen = Locked<[String]>([])
        var events = events(
            MockTransport(
                eventStream("retry: 5000\n: still here\ndata: a\n\n"), .failure(.connect), eventStream("data: b\n\n"),
                .status(204)))
        events.onSignal = { signal in
            seen.withLock { seen in
                switch signal {
                case .connected(let response): seen.append("connected \(response.statusCode)")
                case .comment(let text): seen.append(text)
                case .reconnecting(let pause, let reason): seen.append("\(pause) \(reason.kind)")
                }
            }
        }
        let outcome = await read(events, pauses: [.seconds(5), .seconds(5), .seconds(5)])
        #expect(outcome.events == ["a", "b"])
        #expect(
            seen.withLock { $0 } == [
                "connected 200", "still here", "5.0 seconds connection", "5.0 seconds connection", "connected 200",
                "5.0 seconds connection",
            ])
    }

    @Test func `a connection without a head at the deadline is followed by another one`() async {
        let mock = MockTransport(.hang, eventStream("data: a\n\n"), .status(204))
        let provider = NetworkProvider<API>(mock) {
            ($0.clock, $0.timeout, $0.deadline) = (clock, .seconds(600), .seconds(40))
        }
        async let outcome = collect(provider.events(.plain))
        await clock.untilSleeping()
        clock.advance(by: .seconds(40))
        for _ in 1...2 {
            await clock.untilSleeping(within: .seconds(30))
            clock.advance(by: .seconds(3))
        }
        let (events, failure) = await outcome
        #expect(events == ["a"] && failure == nil && mock.requests.count == 3)
    }

    /// Rejects the second connection.
    private struct Refusing: RequestInterceptor {
        let error: NetworkError
        let count = Locked(0)

        func adapt(_ request: HTTPRequest, context: RequestContext) throws -> HTTPRequest {
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 2 { throw error }
            return request
        }
    }

    private struct Unavailable: ServiceUnavailability {}

    @Test(arguments: [
        (NetworkError.authentication(.failed(NetworkError(.connect, reason: ""))), true),
        (NetworkError(kind: .limit, underlying: Unavailable()), true), (NetworkError(kind: .limit), false),
        (NetworkError.authentication(.failed(NetworkError(kind: .limit, underlying: Unavailable()))), true),
        (NetworkError.authentication(.signedOut), false), (NetworkError.authentication(.excessiveRefresh), true),
    ])
    func `a refresh without network and an open circuit are waited for`(error: NetworkError, isTemporary: Bool) async {
        let mock = MockTransport(eventStream("data: a\n\n"), eventStream("data: b\n\n"), .status(204))
        let provider = NetworkProvider<API>(mock, [Refusing(error: error)]) { $0.clock = clock }
        let pauses = Array(repeating: Duration.seconds(3), count: isTemporary ? 3 : 1)
        let outcome = await read(provider.events(.plain), pauses: pauses)
        #expect(outcome.events == (isTemporary ? ["a", "b"] : ["a"]))
        #expect(outcome.failure?.kind == (isTemporary ? nil : error.kind))
    }

    @Test func `canceling between connections ends the wait`() async {
        let mock = MockTransport(eventStream("data: a\n\n"))
        let reading = Task { await collect(events(mock)) }
        await clock.untilSleeping(within: .seconds(30))
        reading.cancel()
        #expect(await reading.value.failure?.kind == .cancelled)
    }
}
