import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineStreams
@testable import NetworkEngineTesting

/// A single response's events.
@Suite(.timeLimit(.minutes(5))) struct StreamedEventsTests {
    private struct Delta: Decodable, Equatable, Sendable { var text: String }

    private func stream(
        _ text: String,
        type: String = "text/event-stream; charset=utf-8",
        status: Int = 200
    ) async throws -> ResponseStream {
        let mock = MockTransport(.status(status, headers: ["Content-Type": type], body: text))
        return try await HTTPClient(mock).stream(.post("/chat").json(["q": "?"]))
    }

    @Test(arguments: [200, 201, 206]) func `the events of a POST are read once, to the end of its response`(status: Int)
        async throws
    {
        let stream = try await stream("id: 1\ndata: a\n\n: note\nevent: x\ndata: b\n\ndata: cut off", status: status)
        var events = stream.events().makeAsyncIterator()
        #expect(try await events.next() == ServerSentEvent(data: "a", id: "1"))
        #expect(try await events.next() == ServerSentEvent(name: "x", data: "b", id: "1"))
        let end = try await events.next()
        #expect(end == nil && events.lastEventID == "1")
        let again = try await events.next()
        #expect(again == nil)
    }

    @Test func `the end marker of language models, or one of the app, ends the events`() async throws {
        let text = "data: a\n\ndata: stop\n\ndata: [DONE]\n\ndata: late\n\n"
        var read: [String] = []
        for try await event in try await stream(text).events() { read.append(event.data) }
        var events = try await stream(text).events()
        events.isEnd = { $0.data == "stop" }
        for try await event in events { read.append(event.data) }
        #expect(read == ["a", "stop", "a"])
    }

    @Test func `the data is decoded, and other names are skipped`() async throws {
        let text = """
            event: ping\ndata: {}\n\ndata: {"text": "a"}\n\ndata: no JSON\n\ndata: {"text": "b"}\n\ndata: [DONE]\n\n
            """
        var values = try await stream(text).events(as: Delta.self)
        values.name = "message"
        var iterator = values.makeAsyncIterator()
        #expect(try await iterator.next() == Delta(text: "a"))
        let error = await #expect(throws: NetworkError.self) { _ = try await iterator.next() }
        #expect(error?.kind == .decoding && error?.response?.data == Data("no JSON".utf8))
        #expect(try await iterator.next() == Delta(text: "b"))
        let end = try await iterator.next()
        #expect(end == nil)
    }

    @Test func `another content type is an error with the body of JSON`() async throws {
        let stream = try await stream(#"{"error": "no"}"#, type: "application/json")
        let error = await #expect(throws: NetworkError.self) { for try await _ in stream.events() {} }
        #expect(error?.kind == .invalidResponse && error?.response?.data == Data(#"{"error": "no"}"#.utf8))
        let page = try await self.stream("data: a\n\n", type: "text/html")
        let other = await #expect(throws: NetworkError.self) { for try await _ in page.events() {} }
        #expect(other?.kind == .invalidResponse)
    }

    @Test func `an event beyond the limit ends the events`() async throws {
        var events = try await stream("data: a\n\ndata: " + String(repeating: "x", count: 100) + "\n\n").events()
        events.eventLimit = 50
        var iterator = events.makeAsyncIterator()
        #expect(try await iterator.next()?.data == "a")
        let error = await #expect(throws: NetworkError.self) { _ = try await iterator.next() }
        #expect(error?.kind == .limit)
        let end = try await iterator.next()
        #expect(end == nil)
    }

    @Test func `the events of a client with mapped errors have them, too`() async throws {
        struct AppError: Error, Equatable { let kind: NetworkError.Kind }
        let mock = MockTransport(
            .text("page"), .status(200, headers: ["Content-Type": "text/event-stream"], body: "data: 1\n\n"))
        let client = HTTPClient(mock).mapErrors { AppError(kind: $0.kind) }
        await #expect(throws: AppError(kind: .invalidResponse)) {
            for try await _ in try await client.stream(.post("/chat")).events() {}
        }
        var values: [Int] = []
        for try await value in try await client.stream(.post("/chat")).events(as: Int.self) { values.append(value) }
        #expect(values == [1])
    }
}
