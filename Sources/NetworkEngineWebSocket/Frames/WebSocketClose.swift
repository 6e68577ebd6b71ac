public import Foundation
import NetworkEngine

/// The code and reason in a close frame (RFC 6455, 5.5.1).
///
/// It is the `underlying` error when a WebSocket fails after an abnormal close code:
/// ```swift
/// if let close = error.underlying as? WebSocketClose, close.code == 4401 { signIn() }
/// ```
public struct WebSocketClose: Error, Hashable, Sendable {
    /// The code: 1000 for a normal close, 3000 to 4999 for application-defined codes.
    public var code: UInt16
    /// The text. Treat it like a body: it can contain anything.
    public var reason: String

    /// Creates a code with a text, for example for a test.
    public init(code: UInt16, reason: String = "") {
        (self.code, self.reason) = (code, reason)
    }
}

extension WebSocketClose: CustomNSError {
    public var errorCode: Int { Int(code) }
}

extension WebSocketClose: CustomStringConvertible, CustomReflectable {
    /// The code, because the text may be secret.
    public var description: String { "the code \(code)" }

    public var customMirror: Mirror { Mirror(self, children: ["code": code], displayStyle: .struct) }
}

extension WebSocketClose {
    /// - Parameters:
    ///   - code: if it must not be sent, 1000 is sent instead.
    ///   - reason: truncated to 123 bytes.
    init(sending code: UInt16, reason: String) {
        var scalars = ""
        var count = 0
        for scalar in reason.unicodeScalars {
            count += UTF8.width(scalar)
            if count > Self.longestReason { break }
            scalars.unicodeScalars.append(scalar)
        }
        self.init(code: Self.maySend(code) ? code : 1000, reason: scalars)
    }

    /// A control frame has at most 125 bytes, including two for the code.
    private static let longestReason = 123

    /// Whether the connection was closed without an error. 1005 means a close frame without a code.
    var isNormal: Bool { [1000, 1001, 1005].contains(code) }

    /// Whether a close frame may contain a code (RFC 6455, 7.4).
    static func maySend(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

extension NetworkError {
    /// The error of a connection that the other end has closed abnormally.
    init(_ close: WebSocketClose, request: HTTPRequest? = nil) {
        let reason = "the other end closed the WebSocket with the code \(close.code)"
        self.init(kind: .connection, reason: reason, request: request, underlying: close)
    }
}
