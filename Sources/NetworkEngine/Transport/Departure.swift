/// Decides whether a request may leave, and learns when it has.
///
/// A sign-out refuses the requests of its user that have not left, and waits for those that are leaving.
package protocol Departure: Sendable {
    /// Returns the error of a request that must not leave any more; `nil` if it may.
    func refusal(of request: HTTPRequest) -> NetworkError?

    /// The request leaves now. Every departure without an error is followed by `end()`.
    ///
    /// - Returns: the error of a request that must not leave any more.
    func begin(_ request: HTTPRequest) -> NetworkError?

    /// The server has the request, or never gets it.
    func end()
}
