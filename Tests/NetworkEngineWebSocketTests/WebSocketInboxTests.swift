import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineWebSocket

@Suite(.timeLimit(.minutes(5))) struct WebSocketInboxTests {
    private var inbox = WebSocketInbox(limit: 66)

    private mutating func message() -> WebSocketMessage? {
        if case .message(let message) = inbox.next() { message } else { nil }
    }

    @Test mutating func `a message is requested before anyone reads, and the next one after its arrival`() {
        let first = inbox.startsRequest()
        let again = inbox.startsRequest()
        _ = inbox.received(.text("a"))
        let second = inbox.startsRequest()
        #expect(first && !again && second)
    }

    @Test mutating func `while the messages that wait reach the limit none is requested`() {
        _ = inbox.startsRequest()
        _ = inbox.received(.data(Data(count: 9)))
        let whileFull = inbox.startsRequest()
        let message = message()
        let afterReading = inbox.startsRequest()
        #expect(!whileFull && message?.data.count == 9 && afterReading)
    }

    @Test mutating func `empty messages that nobody reads have a limit, too`() {
        var count = 0
        while count < 10, inbox.startsRequest() {
            _ = inbox.received(.text(""))
            count += 1
        }
        #expect(count == 2)
    }

    @Test mutating func `an arrival wakes the reader that waits`() {
        guard case .wait(let signal) = inbox.next() else { return complain() }
        _ = inbox.startsRequest()
        let given = inbox.received(.text("a"))
        let message = message()
        #expect(given.identity == signal.identity && message == .text("a"))
    }

    @Test mutating func `messages that arrived before the end are read first`() {
        _ = inbox.startsRequest()
        _ = inbox.received(.text("a"))
        _ = inbox.ended()
        let (mayAsk, message) = (inbox.startsRequest(), message())
        #expect(!mayAsk && message == .text("a"))
        guard case .end = inbox.next() else { return complain() }
    }

    @Test mutating func `the end returns the messages and pings without an answer, and takes no more`() {
        let (first, second, late) = (WebSocketInbox.Receipt(), WebSocketInbox.Receipt(), WebSocketInbox.Receipt())
        let isSent = [inbox.awaits(first), inbox.awaits(second)]
        inbox.answered(first)
        let left = inbox.ended().awaited
        let isSentLate = inbox.awaits(late)
        #expect(isSent == [true, true] && !isSentLate)
        #expect(left.map(\.identity) == [second.identity])
    }

    @Test mutating func `an arrival or a slow reader shows that a connection without a pong is not lost`() {
        let isLost = !inbox.isAlive(since: 0)
        _ = inbox.received(.text("a"))
        let hasArrival = inbox.isAlive(since: 0)
        let isQuiet = !inbox.isAlive(since: 1)
        _ = inbox.received(.text("long"))
        let isNotRead = inbox.isAlive(since: 2)
        #expect(isLost && hasArrival && isQuiet && isNotRead)
    }

    @Test mutating func `a message of an unknown type is skipped`() {
        _ = inbox.startsRequest()
        _ = inbox.received(nil)
        let goesOn = inbox.startsRequest()
        #expect(goesOn && inbox.isEmpty)
    }

    private func complain() { Issue.record("the inbox reads something else") }
}
