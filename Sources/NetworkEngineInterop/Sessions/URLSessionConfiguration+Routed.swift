public import NetworkEngine

#if canImport(FoundationNetworking)
public import FoundationNetworking
import Foundation
#else
public import Foundation
#endif

extension URLSessionConfiguration {
    /// Returns a configuration whose sessions send their requests through a client.
    ///
    /// ```swift
    /// let session = Session(configuration: .default.routed(through: client))  // of Alamofire, an SDK, an image loader
    /// ```
    /// A request is a call of the client, as with `data(for:)`: it has the interceptors, the attempts, the redirects,
    /// the cache, the cookies and the transport of the client. Requests without their own have the additional headers,
    /// the timeout and the caching policy that the configuration has now. The session's own cache, cookies, credentials
    /// and limits are not used.
    ///
    /// WebSocket tasks are not routed. A configuration for the background is returned unchanged. The configuration and
    /// its sessions keep the client, by `urlCredentialStorage`: do not replace it.
    public func routed(through client: HTTPClient) -> URLSessionConfiguration {
        guard identifier == nil, let copy = copy() as? URLSessionConfiguration else { return self }
        let opening = Routes.open(Route(client: client, defaults: RequestDefaults(self))) {
            RouteNames.name(of: $0).loader
        }
        let loader: AnyClass = opening.loader
        copy.protocolClasses = [loader] + (protocolClasses ?? [])
        copy.urlCredentialStorage = opening.owner
        // With a cache, a cancellation crashes on Linux. The client has a cache of its own.
        copy.urlCache = nil
        copy.httpCookieStorage = nil
        copy.httpShouldSetCookies = false
        return copy
    }
}
