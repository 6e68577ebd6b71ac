import NetworkEngine
import NetworkEngineWebSocket
import Testing

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

    @Test func `a connection that sends the messages before a ping is not lost without its pong`() throws {
        var backlog = Self.ofTenBytes
        for _ in 0..<2 { try backlog.add(1) }
        let ping = backlog
        let isMovingBefore = backlog.isMoving(since: ping)
        backlog.removeFirst()
        let isMoving = backlog.isMoving(since: ping)
        // The ping has left after the last one, and its answer is on its way.
        backlog.removeFirst()
        #expect(!isMovingBefore && isMoving && backlog.isMoving(since: ping))
        // A message behind a ping changes nothing.
        let idle = backlog
        try backlog.add(1)
        backlog.removeFirst()
        #expect(!backlog.isMoving(since: idle))
    }
}
