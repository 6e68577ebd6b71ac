import Foundation
import NetworkEngine

/// The address of a resource, without fragment, under which its responses are stored.
///
/// `GET` and `HEAD` share a key. A store that writes names to disk hashes both parts.
public struct CacheKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The origin, by which responses are removed together.
    public let origin: String
    /// The address of the resource, which may contain secrets.
    public let address: String

    /// The key of a request.
    ///
    /// A `Host` field that is set by hand names another resource at the same address (RFC 9110, 7.1).
    init(of request: HTTPRequest) { self.init(request.url, host: request.headers["Host"]) }

    /// - Parameter host: the host that the request names in place of that of its address.
    init(_ url: URL, host: String? = nil) {
        let key = Self(address: url)
        let host = host?.lowercased()
        guard let host, !key.origin.hasSuffix("://" + host) else {
            self = key
            return
        }
        // No address contains a number sign before its fragment.
        self.init(origin: key.origin, address: key.address + "#" + host)
    }

    private init(origin: String, address: String) {
        self.origin = origin
        self.address = address
    }

    private init(address url: URL) {
        let text = url.absoluteString
        let bytes = text.utf8
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        origin = url.origin.text
        guard let colon = bytes[..<end].firstIndex(of: UInt8(ascii: ":")),
            bytes[colon..<end].starts(with: "://".utf8)
        else {
            address = String(text[..<end])
            return
        }
        let authority = bytes.index(colon, offsetBy: 3)
        let path = bytes[authority..<end].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? end
        address = origin + (text[path..<end].hasPrefix("/") ? "" : "/") + text[path..<end]
    }

    /// Hides the address, which may contain secrets.
    public var description: String { "cache key of \(Redaction.placeholder)" }

    public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
