/// The use of stored responses for one request.
public enum CachePolicy: Hashable, Sendable {
    /// Follows the rules of HTTP: a stored response is used while it is fresh, and validated after that.
    case useProtocol
    /// Requests a new response and stores it.
    case reload
    /// Uses a stored response of any age, and sends the request without one.
    ///
    /// A response that the server forbids to use stale is validated first.
    case cacheFirst
    /// Uses a stored response of any age, and never sends the request. Without one, the response has the status 504,
    /// and the error of the call has ``CacheMiss`` as its cause.
    case cacheOnly
    /// Neither uses nor stores a response.
    case bypass
}

/// The cause of the error of a request that accepts only a stored response, when none can be used.
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
/// The error has the kind `.status` and the status 504, as the response has.
public struct CacheMiss: Error, Hashable, Sendable {
    init() {}
}
