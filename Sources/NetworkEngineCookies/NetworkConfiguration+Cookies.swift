package import Foundation
public import NetworkEngine

extension NetworkConfiguration {
    /// The cookies that exchanges send and set. By default no cookies are kept.
    ///
    /// Set one jar in several configurations to share its cookies.
    public var cookies: CookieJar? {
        get { parts[CookieJar.self] }
        set { parts[CookieJar.self] = newValue }
    }
}

extension CookieJar {
    package var interceptors: [any RequestInterceptor] { CookieInterceptor.links(self) }

    package func receive(_ headers: HTTPHeaders, from url: URL) {
        set(fromHeaders: headers.values(for: "Set-Cookie"), for: url)
    }
}
