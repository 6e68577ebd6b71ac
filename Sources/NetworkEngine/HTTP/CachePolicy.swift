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
    /// and the error of the call has ``NotStored`` as its cause.
    case cacheOnly
    /// Neither uses nor stores a response.
    case bypass
}
