public import NetworkEngine

#if canImport(FoundationNetworking)
public import FoundationNetworking
import Foundation
#else
public import Foundation
#endif

extension URLSessionConfiguration {
    /// Returns a configuration for sessions that send their requests through a client.
    ///
    /// ```swift
    /// let session = Session(configuration: .default.routed(through: client))  // of Alamofire, an SDK, an image loader
    /// ```
    /// A request is a call of the client, as with `data(for:)`: it uses the client's interceptors, attempts, redirects,
    /// cache, cookies and transport. Unless a request has its own, it uses the additional headers, the timeout and the
    /// caching policy that the configuration has now. The session's own cache, cookies, credentials and limits are not
    /// used.
    ///
    /// WebSocket tasks are not routed. A background configuration is returned unchanged. The configuration and its
    /// sessions retain the client through `urlCredentialStorage`: do not replace it.
    public func routed(through client: HTTPClient) -> URLSessionConfiguration {
        guard identifier == nil, let copy = copy() as? URLSessionConfiguration else { return self }
        let opening = Routes.open(Route(client: client, defaults: RequestDefaults(self))) {
            RouteNames.name(of: $0).loader
        }
        let loader: AnyClass = opening.loader
        copy.protocolClasses = [loader] + (protocolClasses ?? [])
        copy.urlCredentialStorage = opening.owner
        // With a cache, cancellation crashes on Linux. The client has its own cache.
        copy.urlCache = nil
        copy.httpCookieStorage = nil
        copy.httpShouldSetCookies = false
        return copy
    }
}
