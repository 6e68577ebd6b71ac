/// How a request uses stored responses.
public enum CachePolicy: Hashable, Sendable {
    /// Follows HTTP's rules: a stored response is used while it is fresh, and validated after that.
    case useProtocol
    /// Requests a new response and stores it.
    case reload
    /// Uses a stored response of any age. Sends the request if there is none.
    ///
    /// If the server forbids using a response when it is stale, the response is validated first.
    case cacheFirst
    /// Uses a stored response of any age, and never sends the request. Without a stored response, the response has the
    /// status 504, and the call's error has ``CacheMiss`` as its cause.
    case cacheOnly
    /// Neither uses nor stores a response.
    case bypass
}

/// The cause of an error if a request accepts only a stored response, but none can be used.
///
/// ```swift
/// var articles = Endpoint.get("/articles")
/// articles.cachePolicy = .cacheOnly
/// do {
///     return try await client.send(articles)
/// } catch where error.underlying is CacheMiss {
///     return nil
/// }
/// ```
/// The error has the kind `.status` and the status 504, like the response.
public struct CacheMiss: Error, Hashable, Sendable {
    init() {}
}
