import Foundation
import NetworkEngine

/// The bytes before and after a response body, and their meaning for body and connection.
struct ResponseHead: Sendable {
    let bytes: [UInt8]
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
        case .chunked(let size): chunkSize = max(1, size)
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
        hasBody = (allowsBody || response.sendsBytesAfterUpgrade) && request?.method != "HEAD"
        self.chunkSize = hasBody ? chunkSize : nil
        bytes = Self.bytes(response.status, response.reason, headers)
    }

    func end(_ trailers: HTTPHeaders) -> [UInt8] {
        guard chunkSize != nil else { return [] }
        var bytes = Array("0\r\n".utf8)
        Self.append(trailers, to: &bytes)
        return bytes
    }

    static let continueResponse = interim(.init(100))

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

enum ReasonPhrase {
    private static let phrases = [
        100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints",
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
        301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict", 412: "Precondition Failed",
        413: "Content Too Large", 416: "Range Not Satisfiable", 417: "Expectation Failed", 426: "Upgrade Required",
        429: "Too Many Requests", 431: "Request Header Fields Too Large",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported",
    ]

    static func usual(for status: Int) -> String {
        if status == 200 { return "OK" }
        return phrases[status] ?? "Status"
    }
}
