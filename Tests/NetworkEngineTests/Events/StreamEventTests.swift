import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineStreams
@testable import NetworkEngineTesting

/// The events of calls that end after their response has been returned.
@Suite(.timeLimit(.minutes(5))) struct StreamEventTests {
    /// Answers each request with the next chunks, and then an end or an error.
    private final class Pieces: Transport {
        private let answers: Locked<[(status: Int, pieces: [String], error: (any Error)?)]>

        init(_ answers: (status: Int, pieces: [String], error: (any Error)?)...) { self.answers = Locked(answers) }

        func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
            let answer = answers.withLock { $0.isEmpty ? (status: 204, pieces: [], error: nil) : $0.removeFirst() }
            let stream = BodyStream(isReplayable: false) {
                AsyncThrowingStream { pieces in
                    for piece in answer.pieces { pieces.yield(Data(piece.utf8)) }
                    pieces.finish(throwing: answer.error)
                }
            }
            return HTTPResponse(
                statusCode: answer.status, headers: ["Content-Type": "text/event-stream"], body: .stream(stream),
                request: request)
        }
    }

    private let log = EventLog()

    private func provider(_ transport: any Transport) -> NetworkProvider<TestTarget> {
        NetworkProvider(transport) { $0.observers = [log] }
    }

    @Test func `the call of a stream ends with the last byte`() async throws {
        let stream = try await provider(Pieces((200, ["a", "b"], nil))).stream(TestTarget())
        #expect(log.names.last == "responded")
        for try await _ in stream {}
        #expect(log.names.suffix(3) == ["exchangeEnded", "attemptEnded", "callEnded"])
        #expect(log.outcomes == [nil] && log.faults == [])
    }

    @Test func `the call of a stream that fails ends with its error`() async throws {
        let stream = try await provider(Pieces((200, ["a"], URLError(.networkConnectionLost)))).stream(TestTarget())
        await #expect(throws: NetworkError.self) { for try await _ in stream {} }
        #expect(log.outcomes.count == 1 && log.outcomes != [nil] && log.faults == [])
    }

    @Test func `a stream that is left or never read ends its call as canceled`() async throws {
        let provider = provider(Pieces((200, ["a", "b"], nil), (200, ["a", "b"], nil)))
        for try await _ in try await provider.stream(TestTarget()) { break }
        #expect(log.outcomes == [.cancelled])
        _ = try await provider.stream(TestTarget())
        #expect(log.outcomes == [.cancelled, .cancelled] && log.faults == [])
    }

    @Test func `an event does not keep a stream open`() async throws {
        let stream = try await provider(Pieces((200, ["a", "b"], nil))).stream(TestTarget())
        for try await _ in stream { break }
        let bodies = log.events.compactMap { event -> ResponseBody? in
            if case .callEnded(let end) = event.kind { try? end.result.get().body } else { nil }
        }
        #expect(!bodies.contains { if case .stream = $0 { true } else { false } })
        #expect(log.faults == [])
    }

    @Test func `the connections of an event stream are attempts of one call`() async throws {
        let transport = Pieces(
            (200, [": hello\n\n", "data: 1\n\n"], nil), (200, ["data: 2\n\n"], nil), (204, [], nil))
        var events = provider(transport).events(TestTarget())
        (events.retryDelay, events.minimumRetryDelay) = (.zero, .zero)
        var data: [String] = []
        for try await event in events { data.append(event.data) }
        #expect(data == ["1", "2"] && log.outcomes == [nil] && log.faults == [])
        let names = log.names.filter { ["attemptStarted", "streamEvent", "reconnecting"].contains($0) }
        #expect(
            names == [
                "attemptStarted", "streamEvent", "streamEvent", "reconnecting",
                "attemptStarted", "streamEvent", "reconnecting", "attemptStarted",
            ])
    }

    @Test func `leaving the loop over events ends their call`() async throws {
        let events = provider(Pieces((200, ["data: 1\n\n", "data: 2\n\n"], nil))).events(TestTarget())
        for try await _ in events { break }
        #expect(log.outcomes == [.cancelled] && log.faults == [])
    }
}
