import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineStreams
@testable import NetworkEngineTesting

/// Which requests for events are resent.
@Suite(.timeLimit(.minutes(5))) struct RepeatedEventsTests {
    private let clock = TestClock()

    private func answer(_ text: String) -> MockAnswer {
        .status(200, headers: ["Content-Type": "text/event-stream"], body: text)
    }

    private func events(
        _ mock: MockTransport,
        _ method: HTTPMethod,
        _ change: (inout ServerSentEvents) -> Void = { _ in }
    ) -> ServerSentEvents {
        var events = HTTPClient(mock) { $0.clock = clock }
            .events(Endpoint(path: "/chat", method: method, body: method == .get ? nil : Data("{}".utf8)))
        change(&events)
        return events
    }

    private func read(_ events: ServerSentEvents, pauses: Int = 0) async -> (events: [String], failure: NetworkError?) {
        async let time: Void = {
            for _ in 0..<pauses {
                await clock.untilSleeping(within: .seconds(30))
                clock.advance(by: .seconds(3))
            }
        }()
        var read: [String] = []
        var iterator = events.makeAsyncIterator()
        do throws(NetworkError) {
            while let event = try await iterator.next() { read.append(event.data) }
            let end = try await iterator.next()
            #expect(end == nil)
            await time
            return (read, nil)
        } catch {
            return (read, error)
        }
    }

    /// A body that is cut off.
    private let cut = MockAnswer { request, _ in
        let pieces = Locked<[String]>(["data: a\n\ndata: b"])
        let stream = BodyStream(length: nil, isReplayable: false) {
            BodyStream.Reading {
                guard let piece = pieces.withLock({ $0.popLast() }) else {
                    throw NetworkError(.lostMidBody, reason: "cut")
                }
                return Data(piece.utf8)
            }
        }
        return HTTPResponse(
            statusCode: 200, headers: ["Content-Type": "text/event-stream"], body: .stream(stream), request: request)
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete, "CHAT"])
    func `the events of a request that may not be repeated end with its response`(method: HTTPMethod) async {
        let mock = MockTransport(answer("data: a\n\ndata: b\n\n").repeating())
        let outcome = await read(events(mock, method))
        #expect(outcome.events == ["a", "b"] && outcome.failure == nil && mock.requests.count == 1)
    }

    @Test func `a response without events ends them, too`() async {
        let mock = MockTransport(answer("").repeating())
        let outcome = await read(events(mock, .post))
        #expect(outcome.events.isEmpty && outcome.failure == nil && mock.requests.count == 1)
    }

    @Test func `a lost connection throws where the request may not be repeated`() async {
        for answer in [MockAnswer.failure(.connect), .failure(.lostBeforeResponse), cut] {
            let mock = MockTransport(answer.repeating())
            let outcome = await read(events(mock, .post))
            #expect(outcome.failure?.kind == .connection && mock.requests.count == 1)
        }
        #expect(await read(events(MockTransport(cut), .post)).events == ["a"])
    }

    @Test(arguments: [HTTPMethod.get, .post], [true, false])
    func `with a limit of 0 no second request is sent`(method: HTTPMethod, isRepeatable: Bool) async {
        for (answer, fails) in [
            (answer("data: a\n\n"), false), (answer(""), false), (cut, true), (.failure(.connect), true),
            (.failure(.lostBeforeResponse), true),
        ] {
            let mock = MockTransport(answer.repeating())
            let outcome = await read(
                events(mock, method) {
                    $0.reconnectLimit = 0
                    $0.isRepeatable = isRepeatable
                })
            #expect((outcome.failure != nil) == fails && mock.requests.count == 1)
        }
    }

    @Test func `a request that the caller declares repeatable is sent again`() async {
        let mock = MockTransport(answer("id: 7\ndata: a\n\n"), cut, answer("data: c\n\n"), .status(204))
        let outcome = await read(events(mock, .post) { $0.isRepeatable = true }, pauses: 3)
        #expect(outcome.events == ["a", "a", "c"] && outcome.failure == nil)
        #expect(mock.requests.map { $0.headers["Last-Event-ID"] } == [nil, "7", "7", "7"])
    }

    @Test func `requests that only read reconnect`() async {
        for method in [HTTPMethod.get, .head, .query] {
            let mock = MockTransport(answer("data: a\n\n"), .status(204))
            let outcome = await read(events(mock, method), pauses: 1)
            #expect(outcome.failure == nil && mock.requests.count == 2)
        }
    }

    @Test func `values and mapped errors have the same rule`() async throws {
        let mock = MockTransport(answer("data: 1\n\ndata: 2\n\n").repeating())
        let client = HTTPClient(mock) { $0.clock = clock }
        var values: [Int] = []
        for try await value in client.events(.post("/chat"), as: Int.self) { values.append(value) }
        for try await value in client.mapErrors({ $0 }).events(.post("/chat"), as: Int.self) { values.append(value) }
        #expect(values == [1, 2, 1, 2] && mock.requests.count == 2)
    }
}
