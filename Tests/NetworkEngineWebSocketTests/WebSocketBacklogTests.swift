import Testing

@testable import NetworkEngine
@testable import NetworkEngineWebSocket

@Suite(.timeLimit(.minutes(5))) struct WebSocketBacklogTests {
    private static var ofTenBytes: WebSocketBacklog {
        var options = WebSocketOptions()
        options.sendBufferLimit = 10
        return WebSocketBacklog(options)
    }

    @Test func `messages that wait have a limit, and one message may always wait`() throws {
        var backlog = Self.ofTenBytes
        // One is being sent, and one waits.
        for _ in 0..<2 { try backlog.add(1_000) }
        let refusal = #expect(throws: NetworkError.self) { try backlog.add(0) }
        #expect(refusal?.kind == .limit)
        backlog.removeFirst()
        for size in [4, 6, 0] { try backlog.add(size) }
        #expect(throws: NetworkError.self) { try backlog.add(1) }
        for _ in 0..<2 { backlog.removeFirst() }
        try backlog.add(3)
        #expect(throws: NetworkError.self) { try backlog.add(8) }
    }

    @Test func `the messages before a ping are told from those behind it`() throws {
        var backlog = Self.ofTenBytes
        for _ in 0..<2 { try backlog.add(1) }
        let ping = backlog
        let isSentBefore = backlog.hasSentAll(of: ping)
        backlog.removeFirst()
        // A message after the ping doesn't matter.
        try backlog.add(1)
        let isSent = backlog.hasSentAll(of: ping)
        let isMoving = backlog.isMoving(since: ping)
        let second = backlog
        backlog.removeFirst()
        #expect(!isSentBefore && !isSent && isMoving && backlog.hasSentAll(of: ping))
        #expect(!second.isMoving(since: second) && backlog.isMoving(since: second))
    }
}
