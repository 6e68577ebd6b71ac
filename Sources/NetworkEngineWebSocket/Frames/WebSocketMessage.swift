public import Foundation
import NetworkEngine

/// A WebSocket message.
public enum WebSocketMessage: Hashable, Sendable {
    /// A text.
    case text(String)
    /// Bytes.
    case data(Data)

    /// The text; `nil` for a binary message.
    public var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The bytes; for a text, its UTF-8 bytes.
    public var data: Data {
        switch self {
        case .text(let text): Data(text.utf8)
        case .data(let data): data
        }
    }
}

extension WebSocketMessage {
    /// The number of bytes that count toward a limit.
    var size: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .data(let data): data.count
        }
    }
}

extension WebSocketMessage: CustomStringConvertible, CustomReflectable {
    /// The type and size, because the content may be secret.
    public var description: String {
        switch self {
        case .text(let text): "a text of \(text.utf8.count) bytes"
        case .data(let data): "data of \(data.count) bytes"
        }
    }

    public var customMirror: Mirror { Mirror(self, children: ["message": description], displayStyle: .enum) }
}
