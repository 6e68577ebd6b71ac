import Foundation
import Testing

@testable import NetworkEngineGraphQLSocket
@testable import NetworkEngineWebSocket

@Suite struct ServerMessageTests {
    @Test(arguments: [
        (#"{"type": "connection_ack"}"#, ServerMessage.acknowledgment),
        (#"{"type":"connection_ack","payload":{"a":[1]}}"#, .acknowledgment),
        (#"{"payload":null,"type":"ping"}"#, .ping),
        (#"{"type":"pong","payload":"any"}"#, .pong),
        (#"{"id":"1","type":"complete"}"#, .complete("1")),
        (#"{"id":"1","type":"complete","payload":{"new":1}}"#, .complete("1")),
        (
            #"{"id":"é","type":"next","payload":{"data": {"n": 1.50}}}"#,
            .next("é", Data(#"{"data": {"n": 1.50}}"#.utf8))
        ),
        (
            #"{"id":"1","type":"error","payload":[{"message":"a"}]}"#,
            .error("1", Data(#"{"errors":[{"message":"a"}]}"#.utf8))
        ),
        (
            #"{"id":"1","type":"error","payload":{"message":"a"}}"#,
            .error("1", Data(#"{"errors":[{"message":"a"}]}"#.utf8))
        ),
    ])
    func `a message of the protocol is read`(text: String, message: ServerMessage) throws {
        #expect(try ServerMessage(.text(text)) == message)
    }

    @Test(arguments: [
        "", "no JSON", "[]", "null", "1", "{}", #"{"type":1}"#, #"{"type":"other"}"#, #"{"type":"next","payload":{}}"#,
        #"{"id":"1","type":"next"}"#, #"{"id":"1","type":"next","payload":[]}"#,
        #"{"id":"1","type":"next","payload":1}"#, #"{"id":1,"type":"next","payload":{}}"#,
        #"{"id":"1","type":"error"}"#, #"{"id":"1","type":"error","payload":"a"}"#,
        #"{"type":"complete"}"#, #"{"type":"complete","id":null}"#, #"{"id":"1","type":"subscribe","payload":{}}"#,
        #"{"type":"connection_init"}"#, #"{"type":"Connection_ack"}"#, #"{"type":"ping"} more"#,
        #"{"type":"next","id":"1","payload":[[[["#,
    ])
    func `a message that the protocol does not have is invalid`(text: String) {
        #expect(throws: ServerMessage.Invalid.self) { try ServerMessage(.text(text)) }
        #expect(throws: ServerMessage.Invalid.self) { try ServerMessage(.data(Data(text.utf8))) }
    }

    @Test func `a payload that is nested too deep is invalid`() {
        let text = #"{"type":"next","id":"1","payload":{"a":"# + String(repeating: "[", count: 100_000)
        #expect(throws: ServerMessage.Invalid.self) { try ServerMessage(.text(text)) }
    }

    @Test func `the messages of the client are JSON`() throws {
        let messages: [(ClientMessage, String)] = [
            (.initialization(nil), #"{"type":"connection_init"}"#),
            (.initialization(Data(#"{"a":1}"#.utf8)), #"{"type":"connection_init","payload":{"a":1}}"#),
            (
                .subscribe("7", Data(#"{"query":"{a}"}"#.utf8)),
                #"{"id":"7","type":"subscribe","payload":{"query":"{a}"}}"#
            ),
            (.complete("7"), #"{"id":"7","type":"complete"}"#),
            (.pong, #"{"type":"pong"}"#),
        ]
        for (message, text) in messages {
            #expect(message.text == .text(text))
            _ = try JSONSerialization.jsonObject(with: message.text.data)
        }
    }
}
