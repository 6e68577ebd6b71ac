import Foundation
import NetworkEngine

/// A request in the form that libcurl expects.
struct CurlRequest: Sendable {
    let url: String
    /// The scheme, host and port, which requests on a shared connection have in common.
    let origin: String
    /// The host in the normalized form for comparing pins.
    let host: String
    let isTLS: Bool
    /// Whether the body's codings are decoded.
    let decodes: Bool
    /// Header lines, each terminated by a NUL.
    let lines: [UInt8]
    /// The host's addresses, as a NUL-terminated line for libcurl; empty to use the system's resolver.
    let resolution: [UInt8]

    init(
        _ request: borrowing HTTPRequest, hasBody: Bool, trailers: [String] = [], decodes: Bool,
        resolution: [UInt8] = []
    ) {
        self.resolution = resolution
        url = request.url.absoluteString.withoutDotSegments
        let origin = request.url.origin
        self.origin = origin.text
        isTLS = origin.isSecure
        host = isTLS ? origin.host : ""
        self.decodes = decodes
        var lines = Self.lines(request, hasBody: hasBody, decodes: decodes)
        if !trailers.isEmpty, !request.headers.contains("Trailer") { lines += Self.announcing(trailers) }
        self.lines = lines
    }

    private static let coded = Array("Accept-Encoding: \(CurlDecoder.offer)\0".utf8)
    private static let uncoded = Array("Accept-Encoding: identity\0".utf8)

    private static func announcing(_ trailers: [String]) -> [UInt8] {
        Array("Trailer: \(trailers.joined(separator: ", "))\0".utf8)
    }

    private static func lines(_ request: borrowing HTTPRequest, hasBody: Bool, decodes: Bool) -> [UInt8] {
        // A part of a coded body cannot be decoded.
        var lines = !decodes ? [] : request.headers.contains("Range") ? uncoded : coded
        if request.headers.contains("Accept-Encoding") { lines = [] }
        if request.headers.isEmpty, !hasBody, !request.method.announcesLength { return lines }
        for field in request.headers {
            lines += field.name.utf8
            // In libcurl, a name with a colon and no value removes a field.
            let value = field.wireValue
            lines += value.isEmpty ? ";".utf8 : ": ".utf8
            if field.name.equalsIgnoringASCIICase("Cookie"), CookieBytes.hasPrivate(value) {
                lines += CookieBytes.bytes(value)
            } else {
                lines += value.utf8
            }
            lines.append(0)
        }
        guard hasBody else {
            if request.method.announcesLength { lines += "Content-Length: 0\0".utf8 }
            return lines
        }
        lines += "Expect:\0".utf8
        if !request.headers.contains("Content-Type") { lines += "Content-Type: application/octet-stream\0".utf8 }
        return lines
    }
}
