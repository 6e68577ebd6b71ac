import Foundation
import NetworkEngine

/// A request in the form in which libcurl takes it.
struct CurlWire: Sendable {
    let url: String
    /// Scheme, host and port, as whom connections are shared with.
    let origin: String
    /// The host, where certificates are compared with it.
    let host: String
    let isTLS: Bool
    /// Lines of fields, each with a NUL behind it.
    let lines: [UInt8]

    init(_ request: HTTPRequest, hasBody: Bool, decodes: Bool) {
        url = request.url.absoluteString
        let end = url.endOfAuthority
        let origin = url[..<end]
        self.origin = origin.utf8.contains { (0x41...0x5A).contains($0) } ? origin.lowercased() : String(origin)
        isTLS = self.origin.utf8.dropFirst(4).first == UInt8(ascii: "s")
        host = isTLS ? self.origin.host : ""
        lines = Self.lines(request, hasBody: hasBody, decodes: decodes)
    }

    private static let coded = Array("Accept-Encoding: gzip, deflate\0".utf8)
    private static let uncoded = Array("Accept-Encoding: identity\0".utf8)

    private static func lines(_ request: HTTPRequest, hasBody: Bool, decodes: Bool) -> [UInt8] {
        // Part of a coded body cannot be decoded.
        var lines = !decodes ? [] : request.headers.contains("Range") ? uncoded : coded
        if request.headers.contains("Accept-Encoding") { lines = [] }
        if request.headers.isEmpty, !hasBody, !request.method.announcesLength { return lines }
        for field in request.headers {
            lines += field.name.utf8
            // A name with a colon and nothing behind it is libcurl's way to leave a field out.
            let value = field.wireValue
            lines += value.isEmpty ? ";".utf8 : ": ".utf8
            lines += value.utf8
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

extension HTTPMethod {
    /// Whether no body is worth a word.
    fileprivate var announcesLength: Bool { self == .post || self == .put || self == .patch }
}

extension String {
    /// The host of an origin, without brackets.
    fileprivate var host: String {
        let authority = utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
        if authority.first == UInt8(ascii: "[") {
            return String(Substring(authority.dropFirst().prefix { $0 != UInt8(ascii: "]") }))
        }
        return String(Substring(authority.prefix { $0 != UInt8(ascii: ":") }))
    }

    /// Where path, query or fragment of an address begin.
    fileprivate var endOfAuthority: Index {
        guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")) else { return endIndex }
        let start = utf8.index(colon, offsetBy: 3, limitedBy: utf8.endIndex) ?? utf8.endIndex
        return utf8[start...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? utf8.endIndex
    }
}
