import Foundation
import NetworkEngine
import NetworkEngineWebSocket

/// A WebSocket handshake request, as a server reads it (RFC 6455, 4.2).
struct ServerHandshake: Sendable {
    /// The response to a request that isn't a WebSocket handshake, or is an invalid one.
    struct Refusal: Error, Hashable, Sendable {
        let status: Int
        let reason: String

        init(status: Int, reason: String) { (self.status, self.reason) = (status, reason) }

        /// The response headers, except those for its body.
        var headers: HTTPHeaders {
            status == 426 ? ["Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"] : [:]
        }
    }

    private let key: String
    private let compression: CompressionTerms?

    /// Checks a request.
    ///
    /// - Parameter compression: the compression that the server supports; `nil` for none.
    init(
        method: HTTPMethod,
        headers: HTTPHeaders,
        compression: WebSocketCompression? = WebSocketCompression()
    ) throws(Refusal) {
        guard method == .get else { throw .invalid("a WebSocket is asked for by GET, not \(method)") }
        guard headers.list("Upgrade", contains: "websocket"), headers.list("Connection", contains: "upgrade") else {
            throw Refusal(status: 426, reason: "a WebSocket needs Upgrade: websocket and Connection: Upgrade")
        }
        guard headers["Sec-WebSocket-Version"] == "13" else {
            throw Refusal(status: 426, reason: "a WebSocket needs Sec-WebSocket-Version: 13")
        }
        let keys = headers.values(for: "Sec-WebSocket-Key")
        guard keys.count == 1, let key = keys.first, Data(base64Encoded: key)?.count == 16 else {
            throw .invalid("a WebSocket needs one Sec-WebSocket-Key of 16 bytes in Base64")
        }
        self.key = key
        self.compression = CompressionTerms.accepted(in: headers, by: compression)
    }

    /// The headers of the 101 response.
    ///
    /// - Parameters:
    ///   - chosen: the subprotocol, offered or not.
    ///   - others: fields that replace those with the same names.
    func headers(choosing chosen: String?, merging others: HTTPHeaders) -> HTTPHeaders {
        var headers: HTTPHeaders = [
            "Upgrade": "websocket", "Connection": "Upgrade",
            "Sec-WebSocket-Accept": WebSocketHandshake.answer(to: key),
        ]
        if let compression { headers["Sec-WebSocket-Extensions"] = compression.text }
        if let chosen { headers["Sec-WebSocket-Protocol"] = chosen }
        return headers.merging(others)
    }
}

extension ServerHandshake.Refusal {
    fileprivate static func invalid(_ reason: String) -> Self { Self(status: 400, reason: reason) }
}

extension HTTPHeaders {
    /// Whether a list field contains an element, ignoring case.
    fileprivate func list(_ name: String, contains element: String) -> Bool {
        values(for: name).flatMap { $0.split(separator: ",") }.contains {
            $0.trimmingCharacters(in: .whitespaces).equalsIgnoringASCIICase(element)
        }
    }
}
