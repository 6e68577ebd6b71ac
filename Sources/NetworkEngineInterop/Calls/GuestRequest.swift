import Foundation
import NetworkEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Another library's request, as the client sends it.
struct GuestRequest: Sendable {
    private(set) var request: HTTPRequest
    let cachePolicy: CachePolicy
    /// The URL as the guest sees it.
    var url: URL { request.url }

    /// Creates a request with errors for the guest.
    init(_ urlRequest: URLRequest, body: RequestBody? = nil) async throws(URLError) {
        do {
            self = try await .make(urlRequest, body: body)
        } catch {
            throw URLError(error, at: urlRequest.url)
        }
    }

    private init(_ request: HTTPRequest, _ cachePolicy: CachePolicy) {
        (self.request, self.cachePolicy) = (request, cachePolicy)
    }

    /// - Parameter body: the body, if the request does not contain it.
    static func make(
        _ urlRequest: URLRequest,
        body: RequestBody? = nil
    ) async throws(NetworkError) -> GuestRequest {
        var request = try await body == nil ? .reading(urlRequest) : HTTPRequest(withoutStreamOf: urlRequest)
        request.headers.removeAll(where: isOfTransport)
        // As with `URLSession`, the guest receives decoded bodies, whatever it accepts.
        if request.headers["Accept-Encoding"] != "identity" { request.headers["Accept-Encoding"] = nil }
        if let body { request.body = body }
        return GuestRequest(request, CachePolicy(urlRequest.cachePolicy))
    }

    /// Whether a field belongs to the connection. `URLSession` also ignores it.
    private static func isOfTransport(_ name: String) -> Bool {
        ["content-length", "transfer-encoding", "connection", "keep-alive", "proxy-connection"]
            .contains(name.lowercased())
    }
}

extension CachePolicy {
    fileprivate init(_ policy: URLRequest.CachePolicy) {
        switch policy {
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData, .reloadRevalidatingCacheData:
            self = .reload
        case .returnCacheDataElseLoad: self = .cacheFirst
        case .returnCacheDataDontLoad: self = .cacheOnly
        default: self = .useProtocol
        }
    }
}
