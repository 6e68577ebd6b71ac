import Foundation
import NetworkEngine

/// The bytes around a response's body, and what they mean for body and connection.
struct ResponseHead: Sendable {
    let bytes: [UInt8]
    /// Whether the body is sent at all.
    let hasBody: Bool
    let chunkSize: Int?
    let ending: LoopbackEnding

    init(_ response: LoopbackResponse, to request: RequestHead?, keepsAlive: Bool) {
        if let raw = response.rawHead {
            (bytes, hasBody, chunkSize) = (Array(raw), true, nil)
            ending = response.ending
            return
        }
        let allowsBody = !(100..<200).contains(response.status) && response.status != 204 && response.status != 304
        var headers = response.headers
        var chunkSize: Int?
        var endsWithConnection = false
        switch response.framing {
        case .automatic:
            if let count = response.body.count {
                if allowsBody { headers["Content-Length"] = headers["Content-Length"] ?? String(count) }
            } else {
                chunkSize = 1 << 14
            }
        case .chunked(let size): chunkSize = size
        case .untilClose: endsWithConnection = true
        case .declared(let values): for value in values { headers.add(value, for: "Content-Length") }
        }
        if chunkSize != nil, request?.minorVersion == 0 { (chunkSize, endsWithConnection) = (nil, true) }
        if chunkSize != nil { headers["Transfer-Encoding"] = "chunked" }
        ending = response.ending == .keepAlive && (endsWithConnection || !keepsAlive) ? .close : response.ending
        if ending == .close, !headers.contains("Connection") { headers["Connection"] = "close" }
        if request?.minorVersion == 0, ending == .keepAlive, !headers.contains("Connection") {
            headers["Connection"] = "keep-alive"
        }
        hasBody = allowsBody && request?.method != "HEAD"
        self.chunkSize = hasBody ? chunkSize : nil
        bytes = Self.bytes(response.status, response.reason, headers)
    }

    /// What comes behind the body.
    func end(_ trailers: HTTPHeaders) -> [UInt8] {
        guard chunkSize != nil else { return [] }
        var bytes = Array("0\r\n".utf8)
        Self.append(trailers, to: &bytes)
        return bytes
    }

    static let pleaseContinue = interim(.init(100))

    static func interim(_ interim: LoopbackResponse.Interim) -> [UInt8] {
        bytes(interim.status, nil, interim.headers)
    }

    private static func bytes(_ status: Int, _ reason: String?, _ headers: HTTPHeaders) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        bytes += "HTTP/1.1 \(status) \(reason ?? ReasonPhrase.usual(for: status))\r\n".utf8
        append(headers, to: &bytes)
        return bytes
    }

    private static func append(_ headers: HTTPHeaders, to bytes: inout [UInt8]) {
        for field in headers {
            bytes += field.name.utf8
            bytes += ": ".utf8
            bytes += field.value.utf8
            bytes += "\r\n".utf8
        }
        bytes += "\r\n".utf8
    }
}
