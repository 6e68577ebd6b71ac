package import Foundation

/// The scheme, host and port of a URL, in a comparable form.
///
/// Scheme and host are lowercase, the default port of `http` and `https` is omitted, and the host has its ASCII form.
/// Two details that look alike make different origins: a trailing dot of the host is kept, and so is user information,
/// which no request can have.
package struct Origin: Hashable, Sendable {
    /// The origin as text: `https://example.com:8443`. A URL without `://` is its own origin.
    package let text: String

    /// The origin of a URL.
    ///
    /// Reads the bytes of the text. Reading the components of a URL costs more than all other work to admit a request,
    /// and on Linux searching a string goes through `NSString`.
    init(_ url: URL) {
        var address = url.absoluteString
        text = address.withUTF8 { Self.text(of: $0) }
    }

    /// Whether the scheme is `https`.
    package var isSecure: Bool { text.utf8.starts(with: "https:".utf8) }

    /// The host without the brackets of an IPv6 address.
    package var host: String {
        let authority = text.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
        if authority.first == UInt8(ascii: "[") {
            return String(Substring(authority.dropFirst().prefix { $0 != UInt8(ascii: "]") }))
        }
        return String(Substring(authority.prefix { $0 != UInt8(ascii: ":") }))
    }

    private static func text(of address: UnsafeBufferPointer<UInt8>) -> String {
        guard let colon = address.firstIndex(of: UInt8(ascii: ":")), address[colon...].starts(with: "://".utf8) else {
            return String(decoding: address, as: UTF8.self)
        }
        let end = address[(colon + 3)...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? address.endIndex
        var origin = address[..<end]
        let port = defaultPort(of: address[..<colon])
        if let port, origin.suffix(port.count).elementsEqual(port) {
            origin = origin.dropLast(port.count)
        } else if origin.last == UInt8(ascii: ":") {
            origin = origin.dropLast()
        }
        let text = String(decoding: origin, as: UTF8.self)
        if origin.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") }) { return normalizingHost(of: text) }
        return origin.contains { (0x41...0x5A).contains($0) } ? text.lowercased() : text
    }

    /// Replaces a host that is not plain ASCII with its comparable form.
    private static func normalizingHost(of origin: String) -> String {
        let start = origin.utf8.firstIndex(of: UInt8(ascii: "/")).map { origin.utf8.index($0, offsetBy: 2) }
        let authority = origin[(start ?? origin.startIndex)...]
        let isBracketed = authority.utf8.first == UInt8(ascii: "[")
        let end = isBracketed ? nil : authority.utf8.lastIndex(of: UInt8(ascii: ":"))
        let host = authority[..<(end ?? authority.endIndex)]
        return origin[..<authority.startIndex].lowercased() + HostName.comparable(String(host))
            + authority[host.endIndex...]
    }

    /// `:80` or `:443`.
    private static func defaultPort(of scheme: Slice<UnsafeBufferPointer<UInt8>>) -> String.UTF8View? {
        // Clearing bit 5 makes an ASCII letter uppercase.
        switch scheme.count {
        case 4 where scheme.lazy.map { $0 & 0xDF }.elementsEqual("HTTP".utf8): ":80".utf8
        case 5 where scheme.lazy.map { $0 & 0xDF }.elementsEqual("HTTPS".utf8): ":443".utf8
        default: nil
        }
    }
}

extension URL {
    package var origin: Origin { Origin(self) }

    package func hasSameOrigin(as other: URL) -> Bool { origin == other.origin }
}
