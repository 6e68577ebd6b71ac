import Foundation
import NetworkEngine

/// The stored responses that a response invalidates (RFC 9111, 4.4).
enum Invalidation {
    /// The keys to remove after a response; empty for a safe method and for an error.
    ///
    /// `Location` and `Content-Location` are included if they have the request's origin, so that a server cannot remove
    /// another server's responses.
    static func keys(after request: HTTPRequest, statusCode: Int, headers: HTTPHeaders) -> [CacheKey] {
        guard !request.method.isSafe, (200...399).contains(statusCode) else { return [] }
        let others = ["Location", "Content-Location"].compactMap { name -> CacheKey? in
            guard let text = headers.values(for: name).first,
                let url = URL(string: text, relativeTo: request.url)?.absoluteURL,
                url.hasSameOrigin(as: request.url)
            else { return nil }
            return CacheKey(url, host: request.headers["Host"])
        }
        let key = CacheKey(of: request)
        return [key] + others.filter { $0 != key }
    }
}
