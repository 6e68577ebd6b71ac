import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineWebSocket

/// The system session's reports on the end of a WebSocket.
@Suite(.timeLimit(.minutes(5))) struct WebSocketEndingTests {
    private let request = HTTPRequest(url: URL(filePath: "/"))
    private let options = WebSocketOptions()
    private let tooLong = NSError(domain: NSPOSIXErrorDomain, code: Int(EMSGSIZE))
    private let cancelled = URLError(.cancelled)

    @Test(arguments: [(0, 1005), (1000, 1000), (4401, 4401), (70_000, 1005), (-1, 1005)])
    func `a close frame without a code has the code 1005`(reported: Int, code: UInt16) {
        let close = WebSocketClose(reportedBySystem: reported, reason: Data("bye".utf8))
        #expect(close == WebSocketClose(code: code, reason: "bye"))
    }

    @Test func `an end with a close frame without a code is normal`() {
        var ending = WebSocketEnding()
        ending.closed(WebSocketClose(reportedBySystem: 0, reason: nil))
        ending.ended(cancelled, closeCode: 0, reason: nil)
        #expect(ending.hasEnded && ending.outcome(of: request, options) == nil)
    }

    @Test func `a message that is too long ends with a limit, although the task is canceled after it`() {
        var ending = WebSocketEnding()
        let step = ending.receiveFailed(tooLong)
        ending.ended(cancelled, closeCode: 0, reason: nil)
        let outcome = ending.outcome(of: request, options)
        #expect(step == .cancel && outcome?.kind == .limit && outcome?.request?.url == request.url)
        #expect(ending.reason(of: request, options, hasHead: true, later: cancelled).kind == .limit)
    }

    @Test func `a failed receive waits for the other end's frame after this end has closed`() {
        var ending = WebSocketEnding()
        let isFirst = ending.closes(with: WebSocketClose(code: 1000))
        let again = ending.closes(with: WebSocketClose(code: 1001))
        let step = ending.receiveFailed(URLError(.networkConnectionLost))
        ending.ended(nil, closeCode: 1000, reason: nil)
        #expect(isFirst && !again && step == .wait && ending.outcome(of: request, options) == nil)
    }

    @Test func `the task's code counts if the delegate was not called`() {
        var ending = WebSocketEnding()
        ending.ended(cancelled, closeCode: 4401, reason: Data("expired".utf8))
        let outcome = ending.outcome(of: request, options)
        #expect(outcome?.underlying as? WebSocketClose == WebSocketClose(code: 4401, reason: "expired"))
    }

    @Test func `the reason for which this end gave up wins over what follows`() {
        var ending = WebSocketEnding()
        ending.givesUp(.cancelled(request))
        _ = ending.receiveFailed(tooLong)
        ending.ended(cancelled, closeCode: 0, reason: nil)
        #expect(ending.outcome(of: request, options)?.kind == .cancelled)
    }

    @Test(arguments: [
        ("http://a.example/x?q=%2F", "ws://a.example/x?q=%2F"), ("HTTPS://a.example", "wss://a.example"),
        ("wss://a.example", "wss://a.example"), ("ws://a.example/#f", "ws://a.example/#f"),
    ])
    func `the system gets an address of its scheme`(address: String, expected: String) throws {
        #expect(try #require(URL(string: address)).withWebSocketScheme.absoluteString == expected)
    }
}
