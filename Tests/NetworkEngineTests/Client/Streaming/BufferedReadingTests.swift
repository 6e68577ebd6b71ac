import NetworkEngineStreams
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Tests that a reader's actor does nothing else while it reads what has already arrived.
@Suite(.timeLimit(.minutes(5))) struct BufferedReadingTests {
    private static let count = 100

    /// Records what it reads, and that it did something else.
    private actor Reader {
        private(set) var log: [Int] = []

        static let other = -1

        private func doSomethingElse() { log.append(Self.other) }

        func read<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces) async throws {
            for try await _ in pieces {
                if log.isEmpty { Task { doSomethingElse() } }
                log.append(log.count)
                if log.count == BufferedReadingTests.count { return }
            }
        }
    }

    @Test func `lines that have arrived are read without leaving the actor`() async throws {
        let text = String(repeating: "a line\n", count: Self.count)
        let provider = NetworkProvider<TestTarget>(MockTransport(.text(text)))
        let reader = Reader()
        try await reader.read(provider.stream(TestTarget()).lines())
        #expect(await reader.log.prefix(Self.count) == Array(0..<Self.count)[...])
    }

    @Test func `JSON lines that have arrived are decoded without leaving the actor`() async throws {
        let text = String(repeating: "[1]\n", count: Self.count)
        let provider = NetworkProvider<TestTarget>(MockTransport(.text(text)))
        let reader = Reader()
        try await reader.read(provider.stream(TestTarget()).jsonLines(as: [Int].self))
        #expect(await reader.log.prefix(Self.count) == Array(0..<Self.count)[...])
    }

    @Test func `a long JSON line is decoded while the actor does something else`() async throws {
        let line = "[" + String(repeating: "1,", count: 4_000) + "1]\n"
        let provider = NetworkProvider<TestTarget>(MockTransport(.text(String(repeating: line, count: Self.count))))
        let reader = Reader()
        try await reader.read(provider.stream(TestTarget()).jsonLines(as: [Int].self))
        #expect(await reader.log.prefix(Self.count).contains(Reader.other))
    }

    @Test func `events that have arrived are read without leaving the actor`() async throws {
        let text = String(repeating: "data: an event\n\n", count: Self.count)
        let provider = NetworkProvider<TestTarget>(
            MockTransport(.text(text, headers: ["Content-Type": "text/event-stream"])))
        let reader = Reader()
        try await reader.read(provider.events(TestTarget()))
        #expect(await reader.log.prefix(Self.count) == Array(0..<Self.count)[...])
    }
}
