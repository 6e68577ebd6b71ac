import Foundation
import NetworkEngine

/// A WebSocket handshake request, and the validation of its response (RFC 6455, 4).
package struct WebSocketHandshake: Sendable {
    private let request: HTTPRequest
    private let protocols: [String]
    private let compression: WebSocketCompression?
    private let key: String

    /// - Parameter key: 16 random bytes in Base64.
    init(
        _ request: HTTPRequest,
        protocols: [String],
        compression: WebSocketCompression? = nil,
        key: String = Self.newKey()
    ) {
        self.request = request
        self.protocols = protocols
        self.compression = compression
        self.key = key
    }

    static func newKey() -> String {
        Data((0..<16).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
    }

    /// The `Sec-WebSocket-Accept` value for a key.
    package static func answer(to key: String) -> String {
        var digest = SHA1()
        Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8).withUnsafeBytes { digest.update($0) }
        return Data(digest.digest).base64EncodedString()
    }

    /// The request head as sent over HTTP/1.1.
    ///
    /// - Parameter userAgent: the `User-Agent`, unless the request has one.
    func head(userAgent: String? = nil) -> [UInt8] {
        let address = AddressText(request.url.absoluteString.withoutDotSegments)
        let path = (address.path.isEmpty ? "/" : address.path) + (address.query.map { "?" + $0 } ?? "")
        var lines = "GET \(path) HTTP/1.1\r\n"
        if !request.headers.contains("Host") { lines += "Host: \(AddressText(request.url.origin.text).host)\r\n" }
        lines += "Upgrade: websocket\r\nConnection: Upgrade\r\n"
        lines += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \(key)\r\n"
        if !protocols.isEmpty { lines += "Sec-WebSocket-Protocol: \(protocols.joined(separator: ", "))\r\n" }
        if let offer = CompressionTerms.offer(compression) { lines += "Sec-WebSocket-Extensions: \(offer)\r\n" }
        if let userAgent, !request.headers.contains("User-Agent") { lines += "User-Agent: \(userAgent)\r\n" }
        for field in request.headers { lines += "\(field.name): \(field.wireValue)\r\n" }
        return Array((lines + "\r\n").utf8)
    }

    /// The server's choices.
    struct Answer: Hashable, Sendable {
        /// One of the offered subprotocols.
        var chosenProtocol: String?
        var compression: CompressionTerms?
    }

    /// Validates a 101 response.
    func answer(of response: HTTPResponse) throws(NetworkError) -> Answer {
        func fail(_ reason: String) -> NetworkError {
            NetworkError(.protocolViolation, reason: reason, request: request, response: response)
        }
        guard response.headers["Upgrade"]?.equalsIgnoringASCIICase("websocket") == true,
            response.headers.tokens(of: "Connection").contains(where: { $0.equalsIgnoringASCIICase("upgrade") })
        else { throw fail("the server switches to another protocol than WebSocket") }
        guard response.headers["Sec-WebSocket-Accept"] == Self.answer(to: key) else {
            throw fail("Sec-WebSocket-Accept does not answer the key of the request")
        }
        var answer = Answer()
        do throws(WebSocketFault) {
            answer.compression = try CompressionTerms.answer(response.headers, to: compression)
        } catch {
            throw fail(error.reason)
        }
        let chosen = response.headers.values(for: "Sec-WebSocket-Protocol")
        guard chosen.count <= 1, chosen.allSatisfy(protocols.contains) else {
            throw fail("the server uses a protocol that was not offered")
        }
        answer.chosenProtocol = chosen.first
        return answer
    }
}

extension HTTPRequest {
    /// Throws `.invalidRequest` for a request that cannot be a WebSocket handshake.
    func checkForWebSocket(protocols: [String]) throws(NetworkError) {
        func fail(_ reason: String) -> NetworkError {
            NetworkError(kind: .invalidRequest, reason: reason, request: self)
        }
        guard method == .get, body.isAbsent else { throw fail("a WebSocket is asked for by a GET without a body") }
        for name in Self.headersOfHandshake where headers.contains(name) {
            throw fail("header \(name) belongs to the WebSocket and cannot be set")
        }
        guard protocols.allSatisfy(\.isToken) else { throw fail("the name of a WebSocket's protocol is not a token") }
        guard Set(protocols).count == protocols.count else { throw fail("a WebSocket's protocol is listed twice") }
    }

    private static let headersOfHandshake = [
        "Upgrade", "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Accept", "Sec-WebSocket-Protocol",
        "Sec-WebSocket-Extensions",
    ]
}

extension HTTPHeaders {
    /// The elements of a list field.
    fileprivate func tokens(of name: String) -> [String] {
        values(for: name).flatMap { $0.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }
}

extension String {
    /// The handshake URL: `ws` is sent as `http`, and `wss` as `https`.
    var handshakeAddress: String {
        for (scheme, sent) in [("wss://", "https://"), ("ws://", "http://")] {
            let start = prefix(scheme.count)
            if String(start).equalsIgnoringASCIICase(scheme) { return sent + dropFirst(scheme.count) }
        }
        return self
    }
}
