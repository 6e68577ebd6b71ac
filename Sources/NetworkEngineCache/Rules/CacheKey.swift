import Foundation
import NetworkEngine

/// The URL of a resource, without its fragment, as the key of its stored responses.
///
/// `GET` and `HEAD` share a key. A store that writes names to disk hashes both parts.
public struct CacheKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The origin, for removing its responses together.
    public let origin: String
    /// The resource's URL, which may contain secrets.
    public let address: String

    /// A request's key.
    ///
    /// A manually set `Host` field identifies another resource at the same URL (RFC 9110, 7.1).
    init(of request: HTTPRequest) { self.init(request.url, host: request.headers["Host"]) }

    /// - Parameter host: the request's host if it differs from its URL's.
    init(_ url: URL, host: String? = nil) {
        let key = Self(address: url)
        let host = host?.lowercased()
        guard let host, !key.origin.hasSuffix("://" + host) else {
            self = key
            return
        }
        // A number sign can only precede a fragment.
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

    /// Hides the URL, which may contain secrets.
    public var description: String { "cache key of \(Redaction.placeholder)" }

    public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
