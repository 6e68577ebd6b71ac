public import Foundation

// Likely first spellings that do not exist, with messages that show the right one.

extension HTTPClient {
    /// A base is a URL.
    @available(
        *, unavailable, message: "A base is a URL: create one with 'URL(string: \"https://api.example.com\")'."
    )
    @_alwaysEmitIntoClient
    public init(baseURL: String, configuration: NetworkConfiguration = .init()) { self = .unavailable }

    /// A base is a URL.
    @available(*, unavailable, message: "A base is a URL: write 'HTTPClient(baseURL: url)'.")
    @_alwaysEmitIntoClient
    public init(_ baseURL: String) { self = .unavailable }

    /// The configuration has the headers.
    @available(
        *, unavailable, message: "Set 'configuration.headers', and pass 'HTTPClient(baseURL: url, configuration: …)'."
    )
    @_alwaysEmitIntoClient
    public init(baseURL: URL, headers: HTTPHeaders) { self = .unavailable }

    /// The configuration has the timeout.
    @available(
        *, unavailable, message: "Set 'configuration.timeout', and pass 'HTTPClient(baseURL: url, configuration: …)'."
    )
    @_alwaysEmitIntoClient
    public init(baseURL: URL, timeout: Double) { self = .unavailable }

    /// Interceptors are a list.
    @available(*, unavailable, message: "Pass a list: 'HTTPClient(baseURL: url, interceptors: [policy])'.")
    @_alwaysEmitIntoClient
    public init(baseURL: URL, interceptor: any RequestInterceptor, configuration: NetworkConfiguration = .init()) {
        self = .unavailable
    }

    @usableFromInline static var unavailable: HTTPClient { HTTPClient(baseURL: URL(fileURLWithPath: "/")) }
}
