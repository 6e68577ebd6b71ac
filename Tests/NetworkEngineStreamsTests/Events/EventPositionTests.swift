import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineStreams
@testable import NetworkEngineTesting

/// The position in a response's events after an interruption, and responses without events.
@Suite(.timeLimit(.minutes(5))) struct EventPositionTests {
    private func stream(
        _ text: String, type: String? = "text/event-stream", status: Int = 200
    ) async throws -> ResponseStream {
        let headers: HTTPHeaders = type.map { ["Content-Type": $0] } ?? [:]
        let mock = MockTransport(.status(status, headers: headers, body: text))
        return try await HTTPClient(mock).stream(.post("/chat"))
    }

    @Test func `the last identifier and the pause are those of the latest complete event`() async throws {
        let events = try await stream("id: 1\nretry: 250\ndata: a\n\nid: 2\ndata:\n\nid: 3\ndata: cut off").events()
        #expect(events.lastEventID == "" && events.retryDelay == nil)
        var iterator = events.makeAsyncIterator()
        #expect(try await iterator.next()?.data == "a")
        #expect(events.lastEventID == "1" && events.retryDelay == .milliseconds(250))
        while try await iterator.next() != nil {}
        #expect(events.lastEventID == "2" && iterator.lastEventID == "2")
    }

    @Test func `an identifier without data is known, too`() async throws {
        let values = try await stream("id: 9\n\n").events(as: Int.self)
        for try await _ in values { Issue.record("a value of nothing") }
        #expect(values.lastEventID == "9")
    }

    @Test func `values skip events without data, unless their type has a value for that`() async throws {
        let text = "id: 1\ndata:\n\ndata: 7\n\n"
        var numbers: [Int] = []
        for try await number in try await stream(text).events(as: Int.self) { numbers.append(number) }
        var optional: [Int?] = []
        for try await number in try await stream(text).events(as: Int?.self) { optional.append(number) }
        #expect(numbers == [7] && optional == [nil, 7])
    }

    @Test(arguments: ["application/json", "application/json; charset=utf-8", "application/problem+json"])
    func `a body of JSON counts as one event where the app says so`(type: String) async throws {
        var values = try await stream("7", type: type, status: 201).events(as: Int.self)
        values.events.acceptsJSON = true
        var read: [Int] = []
        for try await value in values { read.append(value) }
        #expect(read == [7])
    }

    @Test(arguments: [200, 202, 204]) func `a response without a body has no events where JSON is accepted`(status: Int)
        async throws
    {
        var events = try await stream("", type: nil, status: status).events()
        events.acceptsJSON = true
        for try await _ in events { Issue.record("an event of nothing") }
    }

    @Test func `events are read where JSON is accepted, and no other type is`() async throws {
        var events = try await stream("data: a\n\n").events()
        events.acceptsJSON = true
        var read: [String] = []
        for try await event in events { read.append(event.data) }
        #expect(read == ["a"])
        var page = try await stream("<p>", type: "text/html").events()
        page.acceptsJSON = true
        let error = await #expect(throws: NetworkError.self) { for try await _ in page {} }
        #expect(error?.kind == .invalidResponse)
    }

    @Test(arguments: [0, 2, -1, .min]) func `a JSON body beyond the limit is an error`(limit: Int) async throws {
        var events = try await stream("[1]", type: "application/json").events()
        (events.acceptsJSON, events.eventLimit) = (true, limit)
        let error = await #expect(throws: NetworkError.self) { for try await _ in events {} }
        #expect(error?.kind == .limit)
    }

    @Test func `values of every type are those of the decoder`() async throws {
        struct Model: Decodable, Equatable, Sendable { var firstName: String, day: Date }
        let configure: (inout NetworkConfiguration) -> Void = {
            $0.decoder.keyDecodingStrategy = .convertFromSnakeCase
            $0.decoder.dateDecodingStrategy = .secondsSince1970
        }
        let text = (1...3).map { "data: {\"first_name\": \"\($0)\", \"day\": \($0)}\n\n" }.joined()
        func client() -> HTTPClient {
            HTTPClient(
                MockTransport(.status(200, headers: ["Content-Type": "text/event-stream"], body: text)), [], configure)
        }
        let expected = (1...3).map { Model(firstName: "\($0)", day: Date(timeIntervalSince1970: Double($0))) }
        var models: [Model] = []
        for try await model in try await client().stream(.get("/")).events(as: Model.self) { models.append(model) }
        #expect(models == expected)
        var bytes: [Data] = []
        for try await data in try await client().stream(.get("/")).events(as: Data.self) { bytes.append(data) }
        #expect(bytes.count == 3 && bytes.first == Data(#"{"first_name": "1", "day": 1}"#.utf8))
        var count = 0
        for try await _ in try await client().stream(.get("/")).events(as: EmptyBody.self) { count += 1 }
        #expect(count == 3)
    }

    @Test @MainActor func `long and short values are read on the main actor`() async throws {
        let long = String(repeating: "x", count: 10_000)
        let text = "data: \"a\"\n\ndata: \"\(long)\"\n\ndata: \"b\"\n\n"
        var values: [String] = []
        for try await value in try await stream(text).events(as: String.self) { values.append(value) }
        #expect(values == ["a", long, "b"])
        let mock = MockTransport(
            .status(200, headers: ["Content-Type": "text/event-stream"], body: text), .status(204))
        var events = HTTPClient(mock).events(.get("/"), as: String.self)
        (events.events.retryDelay, events.events.minimumRetryDelay) = (.zero, .zero)
        values = []
        for try await value in events { values.append(value) }
        #expect(values == ["a", long, "b"])
    }
}
