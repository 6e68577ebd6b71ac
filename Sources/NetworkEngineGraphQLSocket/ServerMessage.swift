import Foundation
import NetworkEngineGraphQL
import NetworkEngineJSON
import NetworkEngineWebSocket

/// A message from a `graphql-transport-ws` server.
enum ServerMessage: Hashable, Sendable {
    case acknowledgment
    case ping
    case pong
    /// A response to an operation, as the body of a GraphQL response.
    case next(String, Data)
    /// The errors that end an operation, as the body of a GraphQL response.
    case error(String, Data)
    case complete(String)

    /// A message that the protocol does not define.
    struct Invalid: Error {}

    init(_ message: WebSocketMessage) throws(Invalid) {
        guard case .text(let text) = message, let members = try? Members(of: Data(text.utf8)) else { throw Invalid() }
        switch (members.type, members.id, members.payload) {
        case ("connection_ack", _, _): self = .acknowledgment
        case ("ping", _, _): self = .ping
        case ("pong", _, _): self = .pong
        case ("next", let id?, .object(let body)): self = .next(id, body)
        // Some servers send a single error instead of a list.
        case ("error", let id?, .object(let error)): self = .error(id, Self.body("[", error, "]"))
        case ("error", let id?, .array(let errors)): self = .error(id, Self.body("", errors, ""))
        case ("complete", let id?, _): self = .complete(id)
        default: throw Invalid()
        }
    }

    private static func body(_ start: String, _ errors: Data, _ end: String) -> Data {
        Data(#"{"errors":\#(start)"#.utf8) + errors + Data("\(end)}".utf8)
    }
}

/// A client message.
enum ClientMessage {
    /// - Parameter payload: JSON.
    case initialization(_ payload: Data?)
    /// - Parameters:
    ///   - id: digits.
    ///   - operation: JSON.
    case subscribe(_ id: String, _ operation: Data)
    case complete(_ id: String)
    case pong

    var text: WebSocketMessage {
        switch self {
        case .initialization(nil): .text(#"{"type":"connection_init"}"#)
        case .initialization(let payload?): .text(#"{"type":"connection_init","payload":\#(Self.text(payload))}"#)
        case .subscribe(let id, let operation):
            .text(#"{"id":"\#(id)","type":"subscribe","payload":\#(Self.text(operation))}"#)
        case .complete(let id): .text(#"{"id":"\#(id)","type":"complete"}"#)
        case .pong: .text(#"{"type":"pong"}"#)
        }
    }

    private static func text(_ json: Data) -> String { String(decoding: json, as: UTF8.self) }
}

/// The members of a message. The payload is JSON, which the operation's own decoder reads.
private struct Members: Decodable {
    let type: String
    let id: String?
    let payload: Payload?

    init(of text: Data) throws { self = try JSONDecoder().decodeInternal(Self.self, from: text) }

    enum Payload: Decodable {
        case object(Data)
        case array(Data)
        case other

        init(from decoder: any Decoder) throws {
            if let peek = JSONPeek(decoder) {
                switch peek.kind {
                case .object: self = .object(peek.text)
                case .array: self = .array(peek.text)
                default: self = .other
                }
                return
            }
            let value = try GraphQLVariable(from: decoder)
            switch value {
            case .object: self = .object(try JSONEncoder().encode(value))
            case .list: self = .array(try JSONEncoder().encode(value))
            default: self = .other
            }
        }
    }
}
