import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineWebSocket

@Suite(.timeLimit(.minutes(5))) struct WebSocketMessageTests {
    @Test func `a text has bytes, and bytes are no text`() {
        #expect(WebSocketMessage.text("é").data == Data([0xC3, 0xA9]))
        #expect(WebSocketMessage.data(Data("a".utf8)).text == nil)
    }

    @Test func `a description has the size and not the content`() {
        let messages = [WebSocketMessage.text("secret"), .data(Data("secret".utf8))]
        var dumped = ""
        dump(messages, to: &dumped)
        #expect("\(messages)" == "[a text of 6 bytes, data of 6 bytes]")
        #expect(!dumped.contains("secret"))
    }

    @Test(arguments: [999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 0, .max] as [UInt16])
    func `1000 is sent in place of a code that must not be sent`(code: UInt16) {
        #expect(WebSocketClose(sending: code, reason: "").code == 1000)
    }

    @Test(arguments: [1000, 1001, 1003, 1007, 1011, 1014, 3000, 4999] as [UInt16])
    func `a code that may be sent is sent`(code: UInt16) {
        #expect(WebSocketClose(sending: code, reason: "").code == code)
    }

    @Test func `a reason is cut off after 123 bytes, and never within a character's bytes`() {
        let long = String(repeating: "a", count: 200)
        let wide = String(repeating: "a", count: 122) + "€" + "tail"
        #expect(WebSocketClose(sending: 1000, reason: long).reason.utf8.count == 123)
        #expect(WebSocketClose(sending: 1000, reason: wide).reason == String(repeating: "a", count: 122))
    }

    @Test func `the longest reason makes a valid frame`() {
        let close = WebSocketClose(sending: 4000, reason: String(repeating: "é", count: 100))
        let bytes = WebSocketFrame.bytes(close, from: .server)
        #expect(Readout.of([bytes]) == Readout(events: [.close(close)]))
    }
}
