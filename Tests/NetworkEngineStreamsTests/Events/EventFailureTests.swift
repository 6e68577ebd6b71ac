import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineStreams
@testable import NetworkEngineTesting

/// Events that report a failure of the app's server.
@Suite(.timeLimit(.minutes(5))) struct EventFailureTests {
    private struct Delta: Decodable, Equatable, Sendable { var deltaText: String }
    private struct Overload: Decodable, Error, Equatable { var retryIn: Int }
    private enum ChatError: Error, Equatable { case overloaded, other(NetworkError.Kind) }

    private func mock(_ text: String) -> MockTransport {
        MockTransport(.status(200, headers: ["Content-Type": "text/event-stream"], body: text))
    }

    private func client(_ text: String) -> HTTPClient {
        HTTPClient(mock(text)) { $0.decoder.keyDecodingStrategy = .convertFromSnakeCase }
    }

    private static let text = """
        data: {"delta_text": "a"}

        event: error
        id: 7
        data: {"retry_in": 3}

        data: {"delta_text": "b"}


        """

    @Test func `an event becomes the error of the app, and ends the events`() async throws {
        var deltas = try await client(Self.text).stream(.post("/chat")).events(as: Delta.self)
        deltas.events.failure = { $0.name == "error" ? ChatError.overloaded : nil }
        var iterator = deltas.makeAsyncIterator()
        #expect(try await iterator.next() == Delta(deltaText: "a"))
        let error = await #expect(throws: NetworkError.self) { _ = try await iterator.next() }
        #expect(error?.kind == .invalidResponse && error?.underlying as? ChatError == .overloaded)
        #expect(error?.body(as: Overload.self) == Overload(retryIn: 3))
        #expect(try await iterator.next() == nil)
        #expect(deltas.lastEventID == "7")
    }

    @Test func `a client with mapped errors throws the error of its own type as it is`() async throws {
        let mapped = client(Self.text).mapErrors { ChatError.other($0.kind) }
        var deltas = try await mapped.stream(.post("/chat")).events(as: Delta.self)
        deltas.events.failure = { $0.name == "error" ? ChatError.overloaded : nil }
        await #expect(throws: ChatError.overloaded) { for try await _ in deltas {} }
        var events = try await client(Self.text).mapErrors { ChatError.other($0.kind) }.stream(.post("/chat")).events()
        events.failure = { $0.name == "error" ? ChatError.overloaded : nil }
        await #expect(throws: ChatError.overloaded) { for try await _ in events {} }
    }

    @Test func `an error of another type is mapped, with the data of the event as its body`() async throws {
        let mapped = client(Self.text).mapErrors { error -> ChatError in
            error.body(as: Overload.self) == nil ? .other(error.kind) : .overloaded
        }
        var events = try await mapped.stream(.post("/chat")).events()
        events.failure = { $0.name == "error" ? CancellationError() : nil }
        await #expect(throws: ChatError.overloaded) { for try await _ in events {} }
    }

    @Test func `a NetworkError of the app is thrown as it is, with the response`() async throws {
        var events = try await client(Self.text).stream(.post("/chat")).events()
        events.failure = { $0.name == "error" ? NetworkError(kind: .limit, reason: "busy") : nil }
        let error = await #expect(throws: NetworkError.self) { for try await _ in events {} }
        #expect(error?.kind == .limit && error?.reason == "busy" && error?.statusCode == 200)
    }

    @Test func `no event is a failure unless the app says so`() async throws {
        var names: [String] = []
        for try await event in try await client(Self.text).stream(.post("/chat")).events() { names.append(event.name) }
        #expect(names == ["message", "error", "message"])
    }

    @Test func `the end marker is no failure`() async throws {
        var events = try await client("data: [DONE]\n\n").stream(.post("/chat")).events()
        events.failure = { _ in ChatError.overloaded }
        for try await _ in events { Issue.record("an event after the end") }
    }
}
