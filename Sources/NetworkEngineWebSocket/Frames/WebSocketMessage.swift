public import Foundation
import NetworkEngine

/// A message of a WebSocket.
public enum WebSocketMessage: Hashable, Sendable {
    /// A text.
    case text(String)
    /// Bytes.
    case data(Data)

    /// The text; `nil` for a message of bytes.
    public var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The bytes, for a text those of its UTF-8 form.
    public var data: Data {
        switch self {
        case .text(let text): Data(text.utf8)
        case .data(let data): data
        }
    }
}

extension WebSocketMessage {
    /// The number of bytes that count for a limit.
    var size: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .data(let data): data.count
        }
    }
}

extension WebSocketMessage: CustomStringConvertible, CustomReflectable {
    /// The kind and the size, because the content may be secret.
    public var description: String {
        switch self {
        case .text(let text): "a text of \(text.utf8.count) bytes"
        case .data(let data): "data of \(data.count) bytes"
        }
    }

    public var customMirror: Mirror { Mirror(self, children: ["message": description], displayStyle: .enum) }
}

/// The code and the reason of a close frame (RFC 6455, 5.5.1).
package struct WebSocketClose: Hashable, Sendable {
    package var code: UInt16
    package var reason: String

    /// - Parameters:
    ///   - code: 1000 is sent in place of a code that must not be sent.
    ///   - reason: cut off after 123 bytes.
    package init(sending code: UInt16, reason: String) {
        self.code = Self.maySend(code) ? code : 1000
        var scalars = ""
        var count = 0
        for scalar in reason.unicodeScalars {
            count += UTF8.width(scalar)
            if count > Self.longestReason { break }
            scalars.unicodeScalars.append(scalar)
        }
        self.reason = scalars
    }

    package init(code: UInt16, reason: String = "") {
        (self.code, self.reason) = (code, reason)
    }

    /// A frame for control has at most 125 bytes, and the code has two.
    private static let longestReason = 123

    /// Whether the connection was closed without an error. 1005 stands for a close frame without a code.
    package var isNormal: Bool { [1000, 1001, 1005].contains(code) }

    /// Whether a close frame may contain a code (RFC 6455, 7.4).
    package static func maySend(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
